import type { QrCode } from './authenticator-app.server.ts'

/** The viewer's two-step sign-in, as their account shows it. */
export interface SecondStepView {
  isOn: boolean
  /** The site requires it of them, and they do not have it yet. */
  isOwed: boolean
  /** They proved who they are a short while ago, so they may change it. */
  mayChange: boolean
  app: { since: Date } | null
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
