import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import { getTranslator } from '#app/server/i18n.ts'
import { withReturnPath } from '#app/server/mail/return-address.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { resolvePublicAddress } from '#app/server/outgoing/send-outgoing.ts'
import type { Settings } from '../../marketplace.schema.ts'
import { type Integration, ProviderFault, type Service } from '../integration.server.ts'
import { smtp } from './manifest.ts'

/** How long the server may say nothing, in milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000 }
const LOOPBACK_PATTERN = /^(127\.|::1$)/

/** A mail server of the site's own, by SMTP. */
export const smtpIntegration: Integration = {
  manifest: smtp,
  check: async (service, { email, language, siteName }) => {
    const t = getTranslator(language, 'mail')
    await sendBySmtp(service, 'check', {
      to: email,
      subject: t('smtp-test.subject', { site: siteName }),
      text: t('smtp-test.text', { site: siteName }),
    })
  },
  mail: {
    send: (service, mail) => {
      const { from, bouncesTo } = service.settings
      return sendBySmtp(service, 'send', withReturnPath({ ...mail, sender: String(from) }, bouncesTo ? String(bouncesTo) : undefined))
    },
    findReportToken: ({ reportToken }) => (reportToken ? String(reportToken) : undefined),
  },
}

async function sendBySmtp(service: Service, operation: string, mail: SendMailOptions): Promise<void> {
  const { settings } = service
  await service.runOperation({ operation, target: `${String(settings['host'])}:${String(settings['port'])}` }, async (policy) => {
    let transport: Transporter | undefined
    try {
      transport = createSmtpTransport(settings, await resolvePublicAddress(String(settings['host']), policy))
      await transport.sendMail({ ...mail, from: buildSender(settings, mail) })
    } catch (error) {
      throw toProviderFault(error)
    } finally {
      transport?.close()
    }
  })
}

/** To the address that was checked, under the name that the server's certificate must have. */
function createSmtpTransport({ host, port, security, user, password }: Settings, address: string): Transporter {
  // A password goes over an encrypted connection, or not beyond this machine.
  const mayLogIn = security !== 'none' || LOOPBACK_PATTERN.test(address)
  return createTransport({
    host: address,
    port: Number(port),
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { servername: String(host) },
    ...(user && mayLogIn ? { auth: { user: String(user), pass: String(password ?? '') } } : {}),
    ...TIMEOUTS,
  })
}

function buildSender({ from, fromName }: Settings, { from: given }: SendMailOptions): { name: string; address: string } {
  const name = typeof given === 'object' && 'name' in given ? given.name : ''
  return { name: String(fromName ?? name), address: String(from) }
}

/** What an error of the connection amounts to. Once the mail itself is on its way, nobody knows whether it was taken. */
function toProviderFault(error: unknown): ProviderFault {
  if (error instanceof OutgoingFault) return new ProviderFault('provider-down', error.message, { cause: error })
  const { code, command, responseCode: status, message } = error as Error & { code?: string; command?: string; responseCode?: number }
  const more = { status, cause: error }
  if (code === 'EAUTH' || code === 'ENOAUTH') return new ProviderFault('provider-refused', 'the login is refused', more)
  if (code === 'EENVELOPE' && command === 'RCPT TO') return new ProviderFault('message-refused', 'the reader is refused', more)
  if (code === 'EENVELOPE') return new ProviderFault('provider-refused', 'the sender is refused', more)
  if (command === 'DATA' && status !== undefined) return new ProviderFault('message-refused', 'the mail is refused', more)
  return new ProviderFault('provider-down', code ?? message, { ...more, unsure: command === 'DATA' })
}
