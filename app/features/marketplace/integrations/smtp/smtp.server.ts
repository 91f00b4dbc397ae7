import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import { getTranslator } from '#app/server/i18n.ts'
import { withReturnPath } from '#app/server/mail/return-address.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { resolvePublicAddress } from '#app/server/outgoing/send-outgoing.ts'
import type { Settings } from '../../marketplace.schema.ts'
import { type Integration, ProviderFault, type Service } from '../integration.server.ts'
import { smtp } from './manifest.ts'

/** SMTP timeouts in milliseconds. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000 }
const LOOPBACK_PATTERN = /^(127\.|::1$)/

/** A site's own SMTP server. */
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

/** Connects to the address that was checked, with the host name for the TLS certificate. */
function createSmtpTransport({ host, port, security, user, password }: Settings, address: string): Transporter {
  // Send the password only over an encrypted connection or to this machine.
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

/** Classifies a connection error. Once the message data is being sent, an error leaves it unsure whether the email was accepted. */
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
