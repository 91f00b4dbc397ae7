import type { FeatureName } from '#app/features/feature-switches/feature-switches.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type * as v from 'valibot'

/** What the catalogue sorts integrations by. */
export const CATEGORIES = ['sms', 'mail', 'events', 'insight', 'data'] as const
export type Category = (typeof CATEGORIES)[number]

/** What an installation can do for the rest of the product. */
export const CAPABILITIES = [
  'send-sms',
  'receive-sms',
  'send-webhooks',
  'send-mail',
  'site-analytics',
  'support-chat',
  'error-reports',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** How an installation fares: not tried yet, fine, failing lately, or left in peace because it failed again and again. */
export const HEALTH_STATES = ['untested', 'working', 'failing', 'down'] as const
export type Health = (typeof HEALTH_STATES)[number]

/** What a service did wrong, each with its words in `errors.json`. */
export const PROVIDER_FAULTS = [
  'provider-refused',
  'provider-busy',
  'provider-down',
  'provider-not-understood',
  'provider-paused',
  'message-refused',
  'endpoint-refused',
] as const
export type ProviderFaultCode = (typeof PROVIDER_FAULTS)[number]

/** In which prices are given. */
export const CURRENCIES = ['CAD', 'GBP', 'EUR', 'USD', 'AUD', 'NZD'] as const
export type Currency = (typeof CURRENCIES)[number]

/** A text that must be there in every language. */
export type InEveryLanguage = Record<Language, string>

/** A setting as the form draws it. */
export interface FieldWords extends Record<string, unknown> {
  label: InEveryLanguage
  hint?: InEveryLanguage
  /** Kept sealed and never sent to a browser. */
  secret?: boolean
  /** Secrets are sent there: with another address, those that are kept are asked for again. */
  destination?: boolean
  /** The server sends there: it must be on the public internet, and an address on the web encrypted. */
  reaches?: 'web' | 'host'
  /** Made by the product: no form shows it and nobody types it. */
  made?: boolean
  /** Of a setting that is one of a few: each as people read it. */
  choices?: Record<string, InEveryLanguage>
}

export const FIELD_KINDS = ['text', 'choice', 'yes-no', 'number'] as const

/** What an integration says of itself. Its folder holds this and the code that keeps the promises. */
export interface Manifest {
  /** Also its folder's name and its place in addresses. */
  id: string
  /** A name of its own, the same in every language, or one in each. */
  name: string | InEveryLanguage
  category: Category
  /** What it does for the site. */
  does: InEveryLanguage
  /** What leaves the product for somebody else's, one thing a line; nothing where nothing does. */
  leaves: readonly InEveryLanguage[]
  /** An object of settings, each with `v.metadata` of `FieldWords`: the form is drawn from it. */
  settings: v.ObjectSchema<v.ObjectEntries, undefined>
  capabilities: readonly Capability[]
  /** The switch without which the site does not see it. */
  feature: FeatureName | null
  /** Where it is set up, if not here: an integration with screens of its own is listed and led to. */
  setUpAt?: string
  /** The pages themselves start it with these settings: there is nothing to test, and nothing is asked by the server. */
  onPages?: boolean
  /** What a test does, where it does more than ask. */
  testing?: InEveryLanguage
  /** Where it can be tried out once it is enabled. */
  triedAt?: string
}

export type SettingValue = string | number | boolean
export type Settings = Record<string, SettingValue>
