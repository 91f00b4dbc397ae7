/** The password of every account of the demo. */
export const DEMO_PASSWORD = 'parley-demo'
export const DEMO_PLATFORM_ACCOUNT = 'platform@parley.example'
