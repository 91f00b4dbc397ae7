import * as v from 'valibot'
import type { QrCode } from './authenticator-app.server.ts'

/** What a browser says for a passkey, as JSON; it is checked with the passkey's key. */
export const passkeyAnswerSchema = v.pipe(v.string(), v.nonEmpty(), v.maxLength(10_000))
export const passkeyNameSchema = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(60))

export interface PasskeyView {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  /** The domain that it works on. */
  host: string
}

/** The viewer's two-step sign-in, as their account shows it. */
export interface SecondStepView {
  isOn: boolean
  /** The site requires it of them, and they do not have it yet. */
  isOwed: boolean
  /** They proved who they are a short while ago, so they may change it. */
  mayChange: boolean
  app: { since: Date } | null
  passkeys: PasskeyView[]
  codesLeft: number
}

/** A key that an authenticator app may be set up with; nothing is stored before a code proves that it was. */
export interface AppSetup {
  /** The key, sealed: comes back with the code. */
  setup: string
  /** The key for people who type it, in groups of four. */
  key: string
  qr: QrCode
}
