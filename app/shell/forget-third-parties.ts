import { SERVICE_NAMES } from '#app/lib/device-storage.ts'

const isThirdPartyName = (name: string) => Object.values(SERVICE_NAMES).some((names) => names.test(name))

/** Removes what analytics and chat stored on the device before the person refused. */
export function forgetThirdParties(): void {
  for (const cookie of document.cookie.split('; ')) {
    const name = cookie.split('=')[0] ?? ''
    if (isThirdPartyName(name)) for (const domain of listCookieDomains()) document.cookie = `${name}=; Max-Age=0; Path=/${domain}`
  }
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (isThirdPartyName(key)) storage.removeItem(key)
  }
}

/** Cookies may have been set for this host or any parent domain. */
function listCookieDomains(): string[] {
  const parts = window.location.hostname.split('.')
  return ['', ...parts.map((_, from) => `; Domain=${parts.slice(from).join('.')}`)]
}
