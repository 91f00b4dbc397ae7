import type { SendMailOptions } from 'nodemailer'
import type { Runtime } from '../runtime.ts'

/** A way by which a mail can leave: the installation's mail service, or a site's own. */
export interface MailWay {
  sendMail: (mail: SendMailOptions) => Promise<unknown>
}

/** A site's own way; undefined where it has none that can be asked now. */
export type WayOf = (runtime: Runtime, siteId: string) => Promise<MailWay | undefined>

/** The site's own service failed before it could have taken the mail: another may be asked, and nobody gets it twice. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}

/** The site's own way first; where that could not take a mail, the common one. */
export function eitherWay(own: MailWay | undefined, common: MailWay | undefined): MailWay | undefined {
  if (!own || !common) return own ?? common
  return {
    sendMail: async (mail) => {
      try {
        return await own.sendMail(mail)
      } catch (error) {
        if (!(error instanceof NotTaken)) throw error
        return common.sendMail(mail)
      }
    },
  }
}
