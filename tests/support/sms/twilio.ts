import { type PortalServer, servePortal } from '../portals/serve.ts'
import { type Twilio, createTwilioService } from './twilio-service.ts'

export { TWILIO } from './twilio-service.ts'

/** Twilio on this machine, until the file's tests are over. */
export async function serveTwilio(): Promise<PortalServer & Pick<Twilio, 'taken' | 'moods'>> {
  const { listener, taken, moods } = createTwilioService()
  return Object.assign(await servePortal(listener), { taken, moods })
}
