import { splitLanguage } from '../lib/languages.ts'
import type { Runtime } from '../server/runtime.ts'
import type { Site } from '../server/site-directory.ts'

/** Where whoever runs the machine makes the first administrator and the first site: it answers before there is one. */
const SETUP_PATH = '/first-admin'

/** The site a request is for, by its host name. */
export async function findRequestSite(runtime: Runtime, host: string | null | undefined, pathname: string): Promise<Site | undefined> {
  const site = await runtime.sites.find(host)
  if (site || splitLanguage(pathname).path !== SETUP_PATH) return site
  return runtime.sites.loadPlatformAt(host)
}
