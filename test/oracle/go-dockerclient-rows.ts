import type { Row, Source } from './row.ts'

/** The tag is of April 2016; its client works with all engines from 1.9 on. */
const AGES = ['1.21', '1.22']
/** No beginning of an id: go-dockerclient's own `c` is, of one container in sixteen. */
const NAMED = 'no-such-thing'

const row = (test: string, asks: string, status: number, more: Partial<Row> = {}): Row => ({
  ...{ test, asks, status, ages: AGES },
  ...more,
})

/** The status that each method of go-dockerclient expects, and the statuses that it turns into errors of its own. */
export const goDockerclient: Source = {
  name: 'go-dockerclient *_test.go',
  tags: { '1.21': 'docker-1.9/go-1.4', '1.22': 'docker-1.9/go-1.4' },
  rows: [
    row('TestInspectContainerNotFound', `GET /containers/${NAMED}/json`, 404),
    row('TestContainerChangesNotFound', `GET /containers/${NAMED}/changes`, 404),
    row('TestCreateContainerImageNotFound', 'POST /containers/create', 404, { body: { Image: NAMED, Cmd: ['true'] } }),
    row('TestCreateContainerDuplicateName', 'POST /containers/create?name={c}', 409, {
      given: 'created',
      body: { Image: 'busybox', Cmd: ['true'] },
    }),
    row('TestStartContainerNotFound', `POST /containers/${NAMED}/start`, 404),
    row('TestStartContainerAlreadyRunning', 'POST /containers/{c}/start', 304, { given: 'running' }),
    row('TestStartContainerNilHostConfig', 'POST /containers/{c}/start', 204, { given: 'created' }),
    row('TestStopContainer', 'POST /containers/{c}/stop?t=1', 204, { given: 'running' }),
    row('TestStopContainerNotFound', `POST /containers/${NAMED}/stop?t=10`, 404),
    row('TestStopContainerNotRunning', 'POST /containers/{c}/stop?t=10', 304, { given: 'exited' }),
    row('TestRestartContainer', 'POST /containers/{c}/restart?t=1', 204, { given: 'running' }),
    row('TestRestartContainerNotFound', `POST /containers/${NAMED}/restart?t=10`, 404),
    row('TestPauseContainer', 'POST /containers/{c}/pause', 204, { given: 'running' }),
    row('TestPauseContainerNotFound', `POST /containers/${NAMED}/pause`, 404),
    row('TestUnpauseContainer', 'POST /containers/{c}/unpause', 204, { given: 'paused' }),
    row('TestUnpauseContainerNotFound', `POST /containers/${NAMED}/unpause`, 404),
    row('TestKillContainer', 'POST /containers/{c}/kill', 204, { given: 'running' }),
    row('TestKillContainerSignal', 'POST /containers/{c}/kill?signal=15', 204, { given: 'running' }),
    row('TestKillContainerNotFound', `POST /containers/${NAMED}/kill`, 404),
    row('TestRemoveContainer', 'DELETE /containers/{c}?v=0&force=0', 204, { given: 'created' }),
    row('TestRemoveContainerRemoveVolumes', 'DELETE /containers/{c}?v=1', 204, { given: 'created' }),
    row('TestRemoveContainerNotFound', `DELETE /containers/${NAMED}`, 404),
    row('TestResizeContainerTTY', 'POST /containers/{c}/resize?h=40&w=80', 200, {
      given: 'running',
      made: { Tty: true },
    }),
    row('TestWaitContainer', 'POST /containers/{c}/wait', 200, { given: 'exited', members: { StatusCode: 0 } }),
    row('TestWaitContainerNotFound', `POST /containers/${NAMED}/wait`, 404),
    row('TestCommitContainerNotFound', `POST /commit?container=${NAMED}`, 404),
    row('TestTopContainerNotFound', `GET /containers/${NAMED}/top`, 404),
    row('TestStatsContainerNotFound', `GET /containers/${NAMED}/stats?stream=false`, 404),
    row('TestRemoveImageNotFound', `DELETE /images/${NAMED}`, 404),
    row('TestInspectImageNotFound', `GET /images/${NAMED}/json`, 404),
    row('TestNetworkConnectNotFound', `POST /networks/${NAMED}/connect`, 404, { body: { Container: NAMED } }),
    row('TestNetworkDisconnectNotFound', `POST /networks/${NAMED}/disconnect`, 404, { body: { Container: NAMED } }),
    row('TestRenameContainerNotFound', `POST /containers/${NAMED}/rename?name=other`, 404),
    row('TestAttachContainerNotFound', `POST /containers/${NAMED}/attach?stdout=1`, 404),
    row('TestTagImageNotFound', `POST /images/${NAMED}/tag?repo=other&tag=x`, 404),
    row('TestStartExecContainerNotFound', `POST /exec/${NAMED}/start`, 404, { body: { Detach: true } }),
    row('TestInspectVolumeNotFound', `GET /volumes/${NAMED}`, 404),
    row('TestRemoveVolume', 'DELETE /volumes/{v}', 204, { given: 'volume' }),
    row('TestRemoveVolumeNotFound', `DELETE /volumes/${NAMED}`, 404),
  ],
}
