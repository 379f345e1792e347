/**
 * Differences between neighbouring documents that no rule makes, or that a rule dates otherwise: the documents are
 * often late or wrong, and the engine wins. `where` is matched with `+ ContainerCreate request HostConfig.Init`
 * (`-` gone, `~` of another type).
 */
export interface Explained {
  readonly versions: string
  readonly where: RegExp
  readonly reason: string
}

const LATE = 'documented late: the rule names the version whose engine first sent or read it'
const ALWAYS = 'documented late: every engine that has the endpoint has it'
const SLIP = 'a slip of the document, put right in another version; engines never did so'
const ELSEWHERE =
  'a rule does it where a body alone does not show it: with a further engine call, or by what another member says'

export const explained: readonly Explained[] = [
  // Documented later than there.
  { versions: '1.26', where: /^\+ SecretUpdate endpoint/, reason: LATE },
  { versions: '1.27', where: /^\+ Network\w+ re\w+ (\[\]\.)?Attachable$/, reason: LATE },
  { versions: '1.28', where: /^\+ ImageInspect response OsVersion$/, reason: LATE },
  { versions: '1.29', where: /Mounts\.\[\]\.Consistency$/, reason: `${LATE} (CHANGELOG v1.28)` },
  { versions: '1.30', where: /^\+ Network\w+ response .*Containers\.\{\}\.Name$/, reason: LATE },
  { versions: '1.32', where: /^\+ \w+ re\w+ .*DriverOpts$/, reason: `${LATE} (api/types @v17.06)` },
  { versions: '1.32', where: /^\+ ContainerInspect response NetworkSettings\./, reason: ALWAYS },
  { versions: '1.32', where: /^\+ SystemInfo response/, reason: `${LATE}: 1.32 was the first to describe all of info` },
  { versions: '1.34', where: /^\+ ImageBuild query platform$/, reason: `${LATE} (CHANGELOG v1.32)` },
  { versions: '1.36 1.40', where: /^\+ \w+ re\w+ (HostConfig\.)?KernelMemory$/, reason: LATE },
  { versions: '1.36', where: /^\+ ExecInspect response (CanRemove|DetachKeys)$/, reason: LATE },
  { versions: '1.37', where: /^\+ \w+ re\w+ HostConfig\.Init$/, reason: `${LATE} (CHANGELOG v1.25)` },
  { versions: '1.39', where: /^\+ ContainerInspect response State\.Health$/, reason: `${LATE} (CHANGELOG v1.24)` },
  { versions: '1.39', where: /^\+ PutContainerArchive query copyUIDGID$/, reason: `${LATE} (CHANGELOG v1.30)` },
  {
    versions: '1.39',
    where: /^\+ (Service|Task)\w+ re\w+ .*Networks\.\[\]\.DriverOpts$/,
    reason: `${LATE} (api/types/swarm @v17.06)`,
  },
  {
    versions: '1.39',
    where: /^\+ ImageInspect response Variant$/,
    reason: 'documented early: engine 20.10 (api/types @v20.10)',
  },
  { versions: '1.40', where: /^\+ ContainerInspect response Platform$/, reason: LATE },
  { versions: '1.40', where: /^\+ SystemEvents response scope$/, reason: LATE },
  { versions: '1.41', where: /^\+ Network\w+ re\w+ (\[\]\.)?(ConfigOnly|ConfigFrom|Peers)$/, reason: LATE },
  { versions: '1.27', where: /^\+ ContainerDelete query link$/, reason: `${ALWAYS} (docs/api/v1.18.md has it)` },
  {
    versions: '1.39 1.40',
    where: /^\+ ImageCreate query (message|changes)$/,
    reason: `${ALWAYS} (image_routes.go @v1.12)`,
  },
  {
    versions: '1.47',
    where: /^\+ Network\w+ re\w+ .*EnableIPv4$/,
    reason: 'documented early: CHANGELOG v1.48, engine 28.0',
  },
  // Written otherwise for a while.
  { versions: '1.26', where: /^[+-] NetworkPrune response/, reason: `${SLIP}: NetworksDeleted (api/types @v1.13)` },
  {
    versions: '1.27 1.28',
    where: /^[+-] \w+ re\w+ .*Nano(Cpus|CPUs)$/,
    reason: `${SLIP}: containers have NanoCpus, nodes NanoCPUs`,
  },
  { versions: '1.27 1.28', where: /^[+-] \w+Prune query filters$/, reason: SLIP },
  { versions: '1.27', where: /^[+-] PluginPrivileges query (name|remote)$/, reason: `${SLIP}: it is remote` },
  {
    versions: '1.32',
    where: /^[-~] ContainerInspect response NetworkSettings\.(Address|PortMapping|Ports)$/,
    reason: SLIP,
  },
  {
    versions: '1.32',
    where: /^- SystemInfo response (DiscoveryBackend|InitPath|InitSha1|OomScoreAdj)$/,
    reason: `${SLIP}: left from before 1.19`,
  },
  { versions: '1.35', where: /^~ \w+ re\w+ HostConfig\.PortBindings\.\{\}$/, reason: SLIP },
  { versions: '1.37', where: /^~ ImageBuild query buildargs$/, reason: SLIP },
  {
    versions: '1.38',
    where: /^- \w+ re\w+ (HostConfig\.)?KernelMemory$/,
    reason: `${SLIP}: back in 1.40, gone in 1.42`,
  },
  { versions: '1.38', where: /^~ ContainerInspect response ExecIDs$/, reason: SLIP },
  { versions: '1.39', where: /^~ Network\w+ re\w+ (\[\]\.)?IPAM\.Options$/, reason: SLIP },
  {
    versions: '1.40',
    where: /^- \w+ re\w+ (HostConfig\.)?DiskQuota$/,
    reason: `${SLIP}: no engine for Linux reads it`,
  },
  {
    versions: '1.40',
    where: /^[+-] DistributionInspect response/,
    reason: `${SLIP}: the names are those of OCI in every version`,
  },
  { versions: '1.40', where: /^~ SystemDataUsage response Containers\.\[\]$/, reason: SLIP },
  {
    versions: '1.36',
    where: /^[+-] (Config|Secret)Create response I[dD]$/,
    reason: `${SLIP}: ID in every version (api/types/swarm)`,
  },
  // Described where it means nothing.
  {
    versions: '1.28 1.36 1.37 1.40',
    where: /^[+] ContainerUpdate request (DeviceCgroupRules|KernelMemory|Init|DeviceRequests)$/,
    reason: 'the definition Resources is that of create; an update of them is refused or ignored by every engine',
  },
  {
    versions: '1.44',
    where: /^\+ \w+ request .*DNSNames$/,
    reason: 'of answers only: engines make it and ignore what a request says',
  },
  {
    versions: '1.46',
    where: /^- NetworkCreate request CheckDuplicate$/,
    reason: 'ignored since 1.44, where 1.44/duplicate-networks says what is done',
  },
  {
    versions: '1.42',
    where: /^- SystemInfo response Cluster(Store|Advertise)$/,
    reason: 'left out when empty since 1.41, which 1.41/info-changes makes good',
  },
  {
    versions: '1.50',
    where: /^- ImageInspect response Config\.(NetworkDisabled|MacAddress|StopTimeout)$/,
    reason: 'left out when not set in every version (CHANGELOG v1.50)',
  },
  {
    versions: '1.52',
    where: /^- \w+ re\w+ (Config\.)?MacAddress$/,
    reason: 'left out when not set in every version; 1.44/endpoint-mac puts it where it belongs',
  },
  { versions: '1.52', where: /^- SystemAuth request email$/, reason: 'ignored by engines since 1.11' },
  {
    versions: '1.48',
    where: /^\+ \w+ response .*Descriptor\.(urls|annotations|data|platform|artifactType)$/,
    reason: 'parts of a descriptor that are left out when empty; engines that have descriptors have them',
  },
  // Seen to elsewhere.
  { versions: '1.30', where: /^\+ ContainerWait query condition$/, reason: `${ELSEWHERE}: 1.30/wait-condition` },
  { versions: '1.40', where: /^\+ SystemPingHead endpoint/, reason: `${ELSEWHERE}: 1.40/ping-head asks with GET` },
  {
    versions: '1.52',
    where: /^~ Image\w+ query platform$/,
    reason: `${ELSEWHERE}: 1.52 refuses several platforms, one is as before`,
  },
  {
    versions: '1.52',
    where: /^\+ SystemDataUsage response \w+DiskUsage$/,
    reason: `${SLIP}: engines call them ImageUsage and so on`,
  },
  {
    versions: '1.52',
    where: /^- BuildPrune query keep-storage$/,
    reason: `${ELSEWHERE}: 1.52/keep-storage-renamed, which engines from 1.48 on have; they still read the old name`,
  },
  {
    versions: '1.53',
    where: /^[-+] SystemDataUsage response \w+Usage$/,
    reason: `${SLIP}: from 1.53 on the document has the names of 1.52's engines`,
  },
  { versions: '1.53', where: /^\+ ImageInspect query platform$/, reason: `${LATE}: 1.49/image-inspect-platform` },
  {
    versions: '1.53',
    where: /^\+ Task\w+ response (\[\]\.)?NetworksAttachments$/,
    reason: ALWAYS,
  },
  { versions: '1.37', where: /^\+ ImageBuild query target$/, reason: LATE },
  {
    versions: '1.38',
    where: /^\+ ImageBuild query version$/,
    reason: 'experimental in engine 18.06; 1.39/builder-version',
  },
  { versions: '1.41', where: /^\+ NetworkCreate request Scope$/, reason: LATE },
  {
    versions: '1.52',
    where: /^- ContainerInspect response HostConfig\.KernelMemoryTCP$/,
    reason: 'left out when not set since 1.42, and never set from then on',
  },
  {
    versions: '1.52',
    where: /^\+ NetworkInspect response Services$/,
    reason: `${ALWAYS}: since 1.28, when asked with verbose`,
  },
  // Plugins.
  { versions: '1.26 1.29 1.38', where: /^\+ Plugin\w+ response/, reason: ALWAYS },
  { versions: '1.28', where: /^\+ Plugin(List query filters|Disable query force)$/, reason: ALWAYS },
  {
    versions: '1.52',
    where: /^[-~] Plugin\w+ response .*(DockerVersion|Types\.\[\])$/,
    reason: 'of the plugin’s own file, which the engine shows as it is; the type is text in every version',
  },
  // Swarm.
  {
    versions: '1.27 1.28 1.29 1.30',
    where: /^[+-] Secret\w+ response .*Spec\./,
    reason: `${SLIP}: secrets were described as services`,
  },
  {
    versions: '1.27',
    where: / (Service|Task)\w+ re\w+ .*ContainerSpec\.(Hostname|Groups|OpenStdin|Hosts|Secrets|HealthCheck)$/,
    reason: LATE,
  },
  {
    versions: '1.27',
    where: / (Service|Task)\w+ re\w+ .*ContainerSpec\.ReadOnly$/,
    reason: 'documented early: CHANGELOG v1.28',
  },
  {
    versions: '1.29 1.44',
    where: /ContainerSpec\.HealthCheck\.Start\w+$/,
    reason: `${SLIP}: it is called Healthcheck`,
  },
  {
    versions: '1.28 1.44',
    where: /^[+-] Service(Create|Update) response (Warnings?|Untagged|Deleted)$/,
    reason: `${SLIP}: Warnings since 1.25`,
  },
  {
    versions: '1.30',
    where: / (Service|Task)\w+ re\w+ .*ContainerSpec\.Privileges$/,
    reason: `${LATE} (CHANGELOG v1.29)`,
  },
  { versions: '1.31', where: /^~ (Config|Secret)\w+ re\w+ .*Data$/, reason: `${SLIP}: bytes are text in JSON` },
  {
    versions: '1.32',
    where: /^[+-] Node\w+ response .*(TLSInfo\.\w+|Status)$/,
    reason: `${SLIP}; Status and ManagerStatus are of 1.24`,
  },
  {
    versions: '1.32 1.41',
    where: /^[+-] (Service|Task)\w+ re\w+ .*Limits\.GenericResources$/,
    reason: `${SLIP}: reserved, never limited`,
  },
  { versions: '1.34', where: /Ports\.\[\]\.PublishMode$/, reason: LATE },
  {
    versions: '1.38',
    where: /NetworkAttachmentSpec$/,
    reason: 'made by the engine for networks of containers, refused in requests: 1.38/task-attachment',
  },
  { versions: '1.39', where: /^~ SwarmJoin request RemoteAddrs$/, reason: SLIP },
  { versions: '1.39', where: /^\+ SystemDataUsage response BuildCache$/, reason: LATE },
  {
    versions: '1.42',
    where: /^\+ Service\w+ request .*CreateMountpoint$/,
    reason: 'services made no mount point before, and fail without one',
  },
  {
    versions: '1.42',
    where: /BuildCache\.\[\]\.Parents$/,
    reason: 'engines and their clients spell it with a space: 1.42/system-df',
  },
  { versions: '1.44', where: /^\+ Task\w+ response .*Status\.PortStatus$/, reason: `${ALWAYS}: since 1.25` },
]
