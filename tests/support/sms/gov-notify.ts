import { type PortalServer, servePortal } from '../portals/serve.ts'
import { type Notify, createNotifyService } from './gov-notify-service.ts'

export { NOTIFY } from './gov-notify-service.ts'

/** GOV.UK Notify on this machine, until the file's tests are over. */
export async function serveNotify(): Promise<PortalServer & Omit<Notify, 'listener'>> {
  const service = createNotifyService()
  return Object.assign(service, await servePortal((...asked) => service.listener(...asked)))
}
