import type { IncomingMessage } from 'node:http'
import { isEmbedPath } from '../lib/embed-path.ts'
import { listContentLanguages, splitLanguage } from '../lib/languages.ts'
import { findPreferredLanguage } from '../server/accept-language.ts'
import type { Runtime } from '../server/runtime.ts'
import type { Site } from '../server/site-directory.ts'
import { isHttps } from '../server/site-url.ts'
import { type DetectedLanguage, detectLanguage, isCall, LANGUAGE_COOKIE } from '../shell/language.ts'
import { readSiteCookies, type SiteCookies } from './site-cookies.ts'

/** What a request is for: its site, and the language that it is answered in. Found once, where the request comes in. */
export interface SiteRequest extends DetectedLanguage {
  site: Site
  /** None for embedded pages, which are anonymous: cookies are neither read nor set. */
  cookies: SiteCookies
}

interface AskedPage {
  pathname: string
  search: string
}

interface SentRequest extends AskedPage {
  host: string | null | undefined
  cookie: string | null | undefined
  acceptLanguage: string | null | undefined
  /** The Sec-Fetch-Site header. */
  fetchSite: string | null | undefined
}

/** Where the operator creates the first administrator and the first site: works before there is any site. */
const SETUP_PATH = '/first-admin'

/** @returns undefined if the host is no site's */
export async function readSiteRequest(runtime: Runtime, sent: SentRequest): Promise<SiteRequest | undefined> {
  const { pathname, search, fetchSite } = sent
  const site = await findSite(runtime, sent)
  if (!site) return undefined
  const cookies = readSiteCookies(isEmbedPath(pathname) ? '' : sent.cookie, {
    https: isHttps({ site, runtime }),
    takesFormerNames: site.formerCookiesUntil !== null && site.formerCookiesUntil > runtime.now(),
  })
  const preferred = isCall(pathname) ? findPreferredLanguage(sent.acceptLanguage, listContentLanguages(site)) : undefined
  const cookie = cookies.values.get(LANGUAGE_COOKIE)
  return { site, cookies, ...detectLanguage({ pathname, search, cookie, preferred, fetchSite, site }) }
}

/** The same from a request of `node:http`. */
export const readIncomingRequest = (runtime: Runtime, { headers }: IncomingMessage, page: AskedPage): Promise<SiteRequest | undefined> =>
  readSiteRequest(runtime, {
    ...page,
    host: headers.host,
    cookie: headers.cookie,
    acceptLanguage: headers['accept-language'],
    fetchSite: headers['sec-fetch-site']?.toString(),
  })

/** The same sender's request for another page. */
export function readNextPage({ site, cookies }: SiteRequest, { pathname, search }: AskedPage): SiteRequest {
  return { site, cookies, ...detectLanguage({ pathname, search, cookie: cookies.values.get(LANGUAGE_COOKIE), site }) }
}

async function findSite({ sites }: Runtime, { host, pathname }: SentRequest): Promise<Site | undefined> {
  return (await sites.find(host)) ?? (splitLanguage(pathname).path === SETUP_PATH ? sites.loadPlatformAt(host) : undefined)
}
