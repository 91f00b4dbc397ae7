import type { IncomingHttpHeaders } from 'node:http'
import type { Env } from './env.ts'
import type { Logger } from './log.ts'

type Settings = Pick<Env, 'PORT' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>

const CONSEQUENCE = 'every visitor counts as one address, and limits meant for one person stop everybody'

/** Detects settings that imply an untrusted proxy: PUBLIC_URL names an address that Parley itself does not listen on. */
export function findProxyFault({ PORT, PUBLIC_URL, TRUSTED_PROXIES }: Settings): string | undefined {
  if (!PUBLIC_URL || TRUSTED_PROXIES > 0) return undefined
  const { protocol, port } = new URL(PUBLIC_URL)
  if (protocol === 'http:' && Number(port || 80) === PORT) return undefined
  return `PUBLIC_URL says that a proxy stands in front, and TRUSTED_PROXIES is 0: ${CONSEQUENCE}. Set TRUSTED_PROXIES to the number of proxies.`
}

/** Reports once if requests come through an untrusted proxy. */
export function createProxyWatch({ TRUSTED_PROXIES }: Settings, log: Logger): (headers: IncomingHttpHeaders) => void {
  let hasWarned = TRUSTED_PROXIES > 0
  return (headers) => {
    if (hasWarned) return
    const header = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded'].find((name) => headers[name] !== undefined)
    if (!header) return
    hasWarned = true
    log.warn(
      `a request came with ${header}, which is not believed because TRUSTED_PROXIES is 0. If a proxy stands in front, set TRUSTED_PROXIES to the number of proxies: until then ${CONSEQUENCE}. If none does, a client made it up`,
    )
  }
}
