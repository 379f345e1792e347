import { onlyIn, onSide } from '../../src/api/shapes/shape.ts'
import { ContainerConfig, HostConfig } from '../../src/api/shapes/shapes.ts'

/** Shapes and operations that rules of several versions narrow in the same way. */
export const CreateBody = onSide(onlyIn(ContainerConfig, 'ContainerCreate'), 'request')
export const ShownConfig = onSide(ContainerConfig, 'response')
export const ShownHostConfig = onSide(HostConfig, 'response')
export const LISTS = ['ContainerList', 'ContainerListPs'] as const
