import type { Manifest, ProviderFaultCode, Settings } from '../marketplace.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { TransportMail } from '#app/server/mail/mail-transport.ts'
import type { OutgoingPolicy } from '#app/server/outgoing/send-outgoing.ts'

/** A request to an integration's service, as its code makes it: the caller sends, times, judges and logs it. */
export interface ServiceRequest {
  /** What is done, for the log: `send`, `check`. */
  operation: string
  url: string
  /** Host and path for the log, without what names an account or a person. */
  target: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  /** Shown to the service's own host alone, and never logged. */
  secrets?: Record<string, string>
  body?: string
  /** The answer's status alone counts: 2xx is fine, everything else a failure of the service, and nothing of it is read. */
  statusOnly?: boolean
  /** For everything, in milliseconds; 20,000 unless given. */
  withinMs?: number
  /** Reads off an answer that refuses what the service calls the reason. */
  codeOf?: (body: unknown) => string | undefined
}

export interface ServiceAnswer {
  status: number
  body: unknown
}

/** What an integration's code is given to reach its service. */
export interface Service {
  settings: Settings
  /** Where the service can tell what became of what it was asked; null where it cannot reach us. */
  hook: string | null
  /** @throws {ProviderFault} for everything but an answer of 2xx, or one of `accept` */
  sendRequest(request: ServiceRequest, accept?: readonly number[]): Promise<ServiceAnswer>
  /** The same for a service that speaks no HTTP: `work` is given the policy under which anything may leave. @throws {ProviderFault} that `work` throws */
  runOperation<T>(talk: Pick<ServiceRequest, 'operation' | 'target'>, work: (policy: OutgoingPolicy) => Promise<T>): Promise<T>
}

/** Who tries settings out. */
export interface Tester {
  email: string
  language: Language
  siteName: string
}

/** A service failed, or refused. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: ProviderFaultCode
  /** Whether the service may have done what it was asked: no answer came, or none that could be read. */
  readonly unsure: boolean
  /** Seconds it asks us to wait. */
  readonly retryAfter: number | undefined
  /** Of its answer, where one came. */
  readonly status: number | undefined

  constructor(
    code: ProviderFaultCode,
    detail: string,
    more: { unsure?: boolean; retryAfter?: number | undefined; status?: number | undefined; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: more.cause })
    this.code = code
    this.unsure = more.unsure ?? false
    this.retryAfter = more.retryAfter
    this.status = more.status
  }
}

/** A text on its way. */
export interface SmsToSend {
  /** Ours: the service is given it wherever it can keep a reference. */
  id: string
  to: string
  text: string
  language: Language
  /** When it was first tried, to look for it later. */
  since: Date
}

/** What a service tells: what became of a text, or a text that came in. */
export type SmsEvent =
  | {
      kind: 'status'
      providerId: string
      /** Our own id, where the service gives it back. */
      reference?: string | undefined
      outcome: 'accepted' | 'delivered' | 'failed'
    }
  | { kind: 'text'; providerId: string; phone: string; body: string }

/** A request that came to an installation's own address. */
export interface HookRequest {
  settings: Settings
  /** As the service knows it: what it signed. */
  url: string
  header: (name: string) => string | null
  body: string
}

export interface SmsCarrier {
  /** What is sent goes no further than the product: even a code may be read there. */
  isInternal?: boolean
  /** Messages a second that the service allows us. */
  perSecond: (settings: Settings) => number
  /** @returns the service's own id; `delivered` where it is known at once @throws {ProviderFault} */
  send: (service: Service, message: SmsToSend) => Promise<{ providerId: string; delivered?: boolean }>
  /** Whether the service took a message of whose sending nothing is known. @throws {ProviderFault} */
  find: (service: Service, message: SmsToSend) => Promise<{ providerId: string } | undefined>
  /** What the service tells at its installation's address; undefined where it was not the service who says so. */
  receive?: (hook: HookRequest) => SmsEvent[] | undefined
}

/** A mail server of the site's own. */
export interface MailCarrier {
  /** Sends one mail; what it says of the sender gives way to the settings. @throws {ProviderFault} with the server's own error as its cause */
  send: (service: Service, mail: TransportMail) => Promise<void>
  /** What whoever reports mails that came back must know; undefined where nobody is believed. */
  findReportToken?: (settings: Settings) => string | undefined
}

export interface Integration {
  manifest: Manifest
  /** Settings that the product makes when it is installed, such as a secret to sign with. */
  createSettings?: () => Settings
  /** Tries the settings out, changing nothing anywhere; none where the pages alone use them. @throws {ProviderFault} */
  check?: (service: Service, tester: Tester) => Promise<void>
  sms?: SmsCarrier
  mail?: MailCarrier
}
