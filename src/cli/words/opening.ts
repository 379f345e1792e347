import { formatAddress } from '../../http/address.ts'
import type { Opened } from '../../proxy/inspector.ts'

/** What opens the inspector: the only place where its token is said. */
export const opening = ({ address, token, url }: Opened): string =>
  url ?? `${formatAddress(address)} with the token ${token}`
