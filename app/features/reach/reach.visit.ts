import { splitLanguage } from '#app/lib/languages.ts'
import type { ReachSource } from './reach.schema.ts'

/** What a page is about, as far as reach counts it. `further` is anything beyond a project's front page, such as one of its updates. */
export type SeenPage =
  | { kind: 'site' }
  | { kind: 'hub'; slug: string }
  | { kind: 'project'; slug: string; further: boolean; update?: string }
  | { kind: 'dataset'; slug: string }
  | { kind: 'document'; file: string }

const NOT_COUNTED = /^\/(l|admin|live-preview|embed|api|hooks|_serverFn|first-admin|unfollow)(\/|$)/
const DOCUMENT = /\.(pdf|docx?|odt|xlsx?|ods|pptx?|odp|txt|rtf|zip)$/i
const SLUG = '([a-z\\d][a-z\\d-]{0,120})'
const HUB = new RegExp(`^/hubs/${SLUG}/?$`)
const PROJECT = new RegExp(`^/projects/${SLUG}(/[^/].*|/?)$`)
const UPDATE = new RegExp(`^/updates/${SLUG}/?$`)
const DATASET = new RegExp(`^/data/${SLUG}(\\.csv)?/?$`)

/** What a visitor sees at `pathname`; undefined if it is not counted: editors' pages, previews, machine-readable addresses. */
export function findSeenPage(pathname: string): SeenPage | undefined {
  if (DOCUMENT.test(pathname)) return { kind: 'document', file: pathname }
  const { path } = splitLanguage(pathname)
  // Calendar programs read files of dates every few minutes, and nobody sees a page.
  if (NOT_COUNTED.test(path) || path.endsWith('.ics') || path.length > 400) return undefined
  const hub = HUB.exec(path)?.[1]
  if (hub) return { kind: 'hub', slug: hub }
  const project = PROJECT.exec(path)
  if (project?.[1]) {
    const update = UPDATE.exec(project[2] ?? '')?.[1]
    return { kind: 'project', slug: project[1], further: (project[2] ?? '').length > 1, ...(update ? { update } : {}) }
  }
  const dataset = DATASET.exec(path)?.[1]
  if (dataset) return { kind: 'dataset', slug: dataset }
  // Feeds, pictures, catalogues: no page has a dot in its address.
  return path.includes('.') ? undefined : { kind: 'site' }
}

const BOT =
  /bot\b|bot[/;_-]|crawl|spider|slurp|archiver|preview|prerender|headless|lighthouse|monitor|uptime|pingdom|validator|scan|fetch|curl|wget|python|java\/|okhttp|go-http|node|axios|libwww|httpclient|facebookexternalhit|whatsapp|telegram|discord|feed|rss/i

/** True for bots: user agents that say so or do not claim to be a browser. */
export const isBot = (userAgent: string | undefined): boolean => !userAgent || !/^(mozilla|opera)\//i.test(userAgent) || BOT.test(userAgent)

const MAIL_SCANNER =
  /barracuda|mimecast|proofpoint|safelinks|symantec|messagelabs|trend ?micro|zscaler|sophos|fortimail|cloudmark|imageproxy|mailproxy|ms-?office|microsoft office|skypeuripreview|slackbot/i

/** True for known programs that open the links of a mail or text before its reader does. Many claim to be a browser: those count. */
export const isMailScanner = (userAgent: string | undefined): boolean => MAIL_SCANNER.test(userAgent ?? '')

const LINK = /^\/l\/([a-z2-7]{10})$/

/** The code in the short address of a message's link. */
export const findLinkCode = (pathname: string): string | undefined => LINK.exec(pathname)?.[1]

const SEARCH = /(^|\.)(google|bing|duckduckgo|ecosia|yahoo|qwant|startpage|yandex|baidu|kagi|brave|mojeek|ask)\./
const SOCIAL =
  /(^|\.)(facebook|fb|instagram|twitter|x|t|linkedin|lnkd|reddit|youtube|youtu|tiktok|nextdoor|whatsapp|bsky|mastodon|pinterest|threads|snapchat|discord|telegram)\.(com|co|in|me|be|net|app|social|org)$/
const MAIL = /^(mail|webmail|outlook|email)\.|(^|\.)(com\.google\.android\.gm|deref-mail\.com|proton\.me)$/
const CAMPAIGN = /^[a-z\d][a-z\d_.-]{0,39}$/

export interface Origin {
  source: ReachSource
  campaign: string | null
}

/**
 * Where a visit came from, by the link's UTM parameters or else by its referrer.
 * @param host of the site itself
 * @returns undefined if a page of the site linked here
 */
export function findOrigin(search: string, referer: string | undefined, host: string): Origin | undefined {
  const query = new URLSearchParams(search)
  const readParam = (name: string) => query.get(name)?.trim().toLowerCase() ?? ''
  const asked = readParam('utm_campaign')
  const campaign = CAMPAIGN.test(asked) ? asked : null
  const medium = `${readParam('utm_medium')} ${readParam('utm_source')}`
  if (/e-?mail|newsletter/.test(medium)) return { source: 'email', campaign }
  if (/social|facebook|instagram|linkedin/.test(medium)) return { source: 'social', campaign }
  if (medium.trim() || campaign) return { source: 'campaign', campaign }
  const from = referer ? URL.parse(referer) : null
  if (!from) return { source: 'direct', campaign: null }
  const name = from.hostname.toLowerCase()
  if (name === host) return undefined
  const source = MAIL.test(name) ? 'email' : SEARCH.test(name) ? 'search' : SOCIAL.test(name) ? 'social' : 'site'
  return { source, campaign: null }
}
