import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, ContainerListItem, HostConfig } from '../../src/api/shapes/shapes.ts'

/** Shapes and operations that rules of several versions narrow in the same way. */
export const CreateBody = onlyIn(ContainerConfig, 'ContainerCreate')
export const CreateHostConfig = onlyIn(HostConfig, 'ContainerCreate')
/** Of a create or a start. */
export const AskedHostConfig = onSide(HostConfig, 'request')
export const ShownConfig = onSide(ContainerConfig, 'response')
export const ShownHostConfig = onSide(HostConfig, 'response')
export const LISTS = ['ContainerList', 'ContainerListPs'] as const
export const Listed = onlyIn(ContainerListItem, ...LISTS)
