import { formatAddress } from '../../http/address.ts'
import type { Opened } from '../../proxy/inspector.ts'

/** The inspector's address with its token, which is printed nowhere else. */
export const inspectorUrl = ({ address, token, url }: Opened): string =>
  url ?? `${formatAddress(address)} with the token ${token}`
