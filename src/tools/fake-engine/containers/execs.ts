import type { Handler } from '../call.ts'
import { asTexts } from '../recorded.ts'
import { sendEmpty, sendJson } from '../wire.ts'
import { readExecRequest } from './create-request.ts'

export const createExec: Handler = async (call) => {
  const container = call.store.container(call.target)
  const config = readExecRequest(await call.jsonBody())
  call.store.runningContainer(call.target)
  const exec = call.store.createExec(container, config)
  const [command, ...args] = asTexts(config['Cmd'])
  container.happened(`exec_create: ${command} ${args.join(' ')}`, { execID: exec.id })
  sendJson(call.res, 201, { Id: exec.id })
}

export const inspectExec: Handler = ({ res, target, store }) => {
  const exec = store.exec(target)
  const { AttachStdin, AttachStdout, AttachStderr, Cmd, DetachKeys, Privileged, Tty } = exec.config
  const [entrypoint = '', ...args] = asTexts(Cmd)
  sendJson(res, 200, {
    ID: exec.id,
    Running: exec.running,
    ExitCode: exec.exitCode,
    ProcessConfig: { tty: Tty === true, entrypoint, arguments: args, privileged: Privileged === true },
    OpenStdin: AttachStdin === true,
    OpenStderr: AttachStderr === true,
    OpenStdout: AttachStdout === true,
    CanRemove: false,
    ContainerID: exec.container.id,
    DetachKeys: DetachKeys ?? '',
    Pid: exec.pid,
  })
}

export const resizeExec: Handler = ({ res, target, store }) => {
  store.exec(target)
  sendEmpty(res, 200)
}
