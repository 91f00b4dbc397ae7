import type { SendMailOptions } from 'nodemailer'
import type { Runtime } from '../runtime.ts'

/** A mail ready to send. */
export interface TransportMail extends SendMailOptions {
  /** Its reference in delivery reports. */
  reference: string
  /** The return address, unless the transport has one of its own. */
  sender: string
}

/** Sends mails: the installation's mail service or a site's own. */
export interface MailTransport {
  sendMail: (mail: TransportMail) => Promise<unknown>
}

/** The site's own transport; undefined if it has none that can be used now. */
export type FindSiteTransport = (runtime: Runtime, siteId: string) => Promise<MailTransport | undefined>

/** The site's own service failed before it could have accepted the mail: another may be tried without sending it twice. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}
