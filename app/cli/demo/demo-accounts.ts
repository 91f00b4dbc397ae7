/** The password of every account of the demo. */
export const DEMO_PASSWORD = 'parley-demo'
export const DEMO_PLATFORM_ACCOUNT = 'platform@parley.example'
/** A number on Riverbend's list of library cards, for its activity for verified people. */
export const DEMO_CARD = 'RB 2030 4711'
