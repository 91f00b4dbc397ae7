import type { SendMailOptions } from 'nodemailer'
import type { Runtime } from '../runtime.ts'

/** A mail as it leaves. */
export interface TransportMail extends SendMailOptions {
  /** What it is called in reports that come back. */
  reference: string
  /** Where it comes back to, unless the way has an address of its own for that. */
  sender: string
}

/** A way by which a mail can leave: the installation's mail service, or a site's own. */
export interface MailTransport {
  sendMail: (mail: TransportMail) => Promise<unknown>
}

/** A site's own way; undefined where it has none that can be asked now. */
export type FindSiteTransport = (runtime: Runtime, siteId: string) => Promise<MailTransport | undefined>

/** The site's own service failed before it could have taken the mail: another may be asked, and nobody gets it twice. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}
