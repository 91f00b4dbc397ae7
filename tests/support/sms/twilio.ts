import { type PortalServer, servePortal } from '../portals/serve.ts'
import { type Twilio, twilioService } from './twilio-service.ts'

export { TWILIO } from './twilio-service.ts'

/** Twilio on this machine, until the file's tests are over. */
export async function serveTwilio(): Promise<PortalServer & Pick<Twilio, 'taken' | 'moods'>> {
  const { listener, taken, moods } = twilioService()
  return Object.assign(await servePortal(listener), { taken, moods })
}
