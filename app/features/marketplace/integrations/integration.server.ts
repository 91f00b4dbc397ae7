import type { Manifest, Settings } from '../marketplace.schema.ts'
import type { Box, Position } from '#app/lib/geometry.ts'
import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import type { Keyword } from '#app/lib/text-keywords.ts'
import type { ProviderFaultCode } from '#app/lib/vocabulary/marketplace.ts'
import type { TransportMail } from '#app/server/mail/mail-transport.ts'
import type { OutgoingPolicy } from '#app/server/outgoing/send-outgoing.ts'

/** A request to an integration's service. The caller sends, times, classifies and logs it. */
export interface ServiceRequest {
  /** Operation name for the log: `send`, `check`. */
  operation: string
  url: string
  /** Host and path for the log, without anything that identifies an account or a person. */
  target: string
  method?: 'GET' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  /** Headers sent only to the service's own host and never logged. */
  secrets?: Record<string, string>
  body?: string
  /** Only the status counts: 2xx is success, everything else a failure of the service. The body is not read. */
  statusOnly?: boolean
  /** Total timeout in milliseconds; 20,000 by default. */
  withinMs?: number
  /** Extracts the service's error code from a refusal. */
  codeOf?: (body: unknown) => string | undefined
}

export interface ServiceAnswer {
  status: number
  body: unknown
}

/** How an integration's code reaches its service. */
export interface Service {
  settings: Settings
  /** URL for the service's callbacks; null if it cannot reach us. */
  hook: string | null
  /** @throws {ProviderFault} unless the status is 2xx or in `accept` */
  sendRequest(request: ServiceRequest, accept?: readonly number[]): Promise<ServiceAnswer>
  /** The same for protocols other than HTTP: `work` gets the policy for outgoing connections. @throws {ProviderFault} that `work` throws */
  runOperation<T>(talk: Pick<ServiceRequest, 'operation' | 'target'>, work: (policy: OutgoingPolicy) => Promise<T>): Promise<T>
}

/** The administrator who runs a test. */
export interface Tester {
  email: string
  language: Language
  siteName: string
}

/** A failure or refusal by a service. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: ProviderFaultCode
  /** True if the service may have carried out the request: the response was missing or unreadable. */
  readonly unsure: boolean
  /** Seconds that the service asks us to wait. */
  readonly retryAfter: number | undefined
  /** HTTP or SMTP status, if there was a response. */
  readonly status: number | undefined
  /** The service's own code of the refusal. */
  readonly reason: string | undefined

  constructor(
    code: ProviderFaultCode,
    detail: string,
    more: { unsure?: boolean; retryAfter?: number | undefined; status?: number | undefined; reason?: string; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: more.cause })
    this.code = code
    this.unsure = more.unsure ?? false
    this.retryAfter = more.retryAfter
    this.status = more.status
    this.reason = more.reason
  }
}

export interface SmsToSend {
  /** Our id, passed on as a reference if the service supports one. */
  id: string
  to: string
  text: string
  language: ContentLanguage
  /** Time of the first attempt, used to search for the message later. */
  since: Date
}

/** Reported by a service: the outcome of a message, or an incoming one. */
export type SmsEvent =
  | {
      kind: 'status'
      providerId: string
      /** Our id, if the service returns it. */
      reference?: string | undefined
      outcome: 'accepted' | 'delivered' | 'failed'
      /** The service refused it because its reader has opted out there. */
      optedOut?: boolean
    }
  | {
      kind: 'text'
      providerId: string
      phone: string
      body: string
      /** The service itself recognised this keyword and has already replied. */
      handledAs?: Keyword
    }

/** A request to an installation's callback URL. */
export interface HookRequest {
  settings: Settings
  /** As the service sees it: part of what it signed. */
  url: string
  header: (name: string) => string | null
  body: string
}

export interface SmsCarrier {
  /** Messages never leave the product, so its log may even show sign-in codes. */
  isInternal?: boolean
  /** The number that people text to, if the settings name one. */
  findNumber?: (settings: Settings) => string | undefined
  /** Messages per second that the service allows. */
  perSecond: (settings: Settings) => number
  /** @returns the service's id; `delivered` if known at once @throws {ProviderFault} */
  send: (service: Service, message: SmsToSend) => Promise<{ providerId: string; delivered?: boolean }>
  /** The service's code for a message to somebody who has opted out there. */
  optedOutCode?: string
  /** Looks up whether the service accepted a message whose sending was not confirmed. @throws {ProviderFault} */
  find: (service: Service, message: SmsToSend) => Promise<{ providerId: string } | undefined>
  /** Parses a callback; undefined if the service did not sign it. */
  receive?: (hook: HookRequest) => SmsEvent[] | undefined
  /** The same without looking at the signature, once there are no credentials to check it with. */
  parse?: (hook: Pick<HookRequest, 'url' | 'body'>) => SmsEvent[]
}

/** A site's own mail server. */
export interface MailCarrier {
  /** Sends one email. The settings override its sender. @throws {ProviderFault} with the server's error as `cause` */
  send: (service: Service, mail: TransportMail) => Promise<void>
  /** Token that bounce reports must carry; undefined if no reports are accepted. */
  findReportToken?: (settings: Settings) => string | undefined
}

/** Translates texts that anybody can read. */
export interface TextTranslator {
  /** The service's name, as readers are shown it. */
  getName: (settings: Settings) => string
  canTranslate: (settings: Settings, from: ContentLanguage, to: ContentLanguage) => boolean
  /** Characters that the site may send in 24 hours. */
  getDailyLimit: (settings: Settings) => number
  /** @returns the translation of each text, in the same order @throws {ProviderFault} */
  translate: (service: Service, asked: { texts: readonly string[]; from: ContentLanguage; to: ContentLanguage }) => Promise<string[]>
}

export interface GeocodeQuestion {
  /** As it was typed. */
  text: string
  /** West, south, east, north, in degrees: only addresses in it are of use. */
  box: Box
  language: Language
}

export interface GeocodedAddress {
  /** One line, as the service writes it. */
  label: string
  point: Position
}

/** A service that knows addresses. */
export interface Geocoder {
  /** Whose addresses they are, as its licence wants it said. */
  findAttribution: (settings: Settings) => string
  /** The best few, best first; they may lie outside the box. @throws {ProviderFault} */
  search: (service: Service, question: GeocodeQuestion) => Promise<GeocodedAddress[]>
}

export interface Integration {
  manifest: Manifest
  /** Creates generated settings at installation, such as a signing secret. */
  createSettings?: () => Settings
  /** Tests the settings without changing anything; absent if only pages use them. @throws {ProviderFault} */
  check?: (service: Service, tester: Tester) => Promise<void>
  sms?: SmsCarrier
  mail?: MailCarrier
  translator?: TextTranslator
  geocoder?: Geocoder
}
