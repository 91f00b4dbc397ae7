import { type LooseRecord, toRecord, toText, toWholeNumber } from '../parse-loosely.ts'
import { PortalFault } from './portal.server.ts'
import type { PortalReader } from './portal-reader.server.ts'

/** Requests JSON from an ArcGIS server, which reports most of its errors with status 200. */
export async function requestEsri(reader: PortalReader, url: string, parameters: Record<string, string> = {}): Promise<LooseRecord> {
  const answer = toRecord(await reader.json(`${url}?${new URLSearchParams({ f: 'json', ...parameters })}`))
  const error = toRecord(answer['error'])
  const code = toWholeNumber(error['code'])
  if (code === 498 || code === 499 || code === 403) throw new PortalFault('portal-refused', toText(error['message']))
  if (code === 404) throw new PortalFault('portal-missing', toText(error['message']))
  if (code !== null) throw new PortalFault(code >= 500 ? 'portal-down' : 'portal-not-understood', toText(error['message']))
  return answer
}
