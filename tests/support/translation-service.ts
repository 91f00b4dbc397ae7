import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { buildSealContext } from '#app/features/marketplace/installation-settings.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { getSealingKeys, sealSecret } from '#app/server/crypto/seal.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type PortalServer, servePortal } from './portals/serve.ts'
import { sendJson } from './portals/listen.ts'

export const DEEPL_KEY = '279a2e9d-83b3-c416-7e2d-f721593e42a0:fx'
export const AZURE_KEY = '0123456789abcdef0123456789abcdef'
export const LIBRE_KEY = '1b0c2f2e-6d1c-4ad1-a5c3-2d6a1b8f9c70'

export interface TranslationServer extends PortalServer {
  /** Each text that it was sent, in order. */
  texts: string[]
  /** The next requests are answered with these statuses, one each. */
  failing: number[]
  /** The next request is answered with this instead. */
  garbled: unknown
}

type Answer = [body: unknown, status?: number]

/**
 * DeepL, Azure Translator and LibreTranslate as documented, at one address. A text's translation is the text behind its target language, such
 * as `[fr] Hello`.
 */
export async function serveTranslation(): Promise<TranslationServer> {
  const respond = async (url: URL, response: ServerResponse, request: IncomingMessage) => {
    const body = JSON.parse((await readText(request)) || '{}') as unknown
    const status = served.failing.shift()
    if (status) return sendJson(response, { message: 'No.', error: 'No.' }, status)
    if (served.garbled !== undefined) {
      sendJson(response, served.garbled)
      served.garbled = undefined
      return
    }
    const [answer, code] = translate(url, request, body, (texts, target) => {
      served.texts.push(...texts)
      return texts.map((text) => `[${target}] ${text}`)
    })
    sendJson(response, answer, code)
  }
  const served: TranslationServer = Object.assign(await servePortal((...asked) => void respond(...asked)), {
    texts: [],
    failing: [],
    garbled: undefined,
  })
  return served
}

function translate(
  url: URL,
  { headers, method }: IncomingMessage,
  body: unknown,
  toTexts: (texts: string[], target: string) => string[],
): Answer {
  if (method !== 'POST' || headers['content-type'] !== 'application/json') return [{ message: 'Bad request' }, 400]
  if (url.pathname === '/v2/translate') {
    if (headers.authorization !== `DeepL-Auth-Key ${DEEPL_KEY}`) return [{ message: 'Forbidden' }, 403]
    const { text, source_lang, target_lang } = body as { text: string[]; source_lang: string; target_lang: string }
    if (!['EN', 'FR', 'CY'].includes(source_lang) || !['EN-GB', 'FR-CA', 'CY'].includes(target_lang))
      return [{ message: "Value for 'target_lang' not supported." }, 400]
    return [{ translations: toTexts(text, target_lang).map((one) => ({ detected_source_language: source_lang, text: one })) }]
  }
  if (url.pathname === '/translate' && url.searchParams.get('api-version') === '3.0') {
    if (headers['ocp-apim-subscription-key'] !== AZURE_KEY || headers['ocp-apim-subscription-region'] !== 'canadacentral')
      return [{ error: { code: 401_000, message: 'The request is not authorized because credentials are missing or invalid.' } }, 401]
    const to = url.searchParams.get('to') ?? ''
    return [
      toTexts(
        (body as { Text: string }[]).map(({ Text }) => Text),
        to,
      ).map((text) => ({ translations: [{ text, to }] })),
    ]
  }
  if (url.pathname === '/translate') {
    const { q, target, format, api_key } = body as { q: string[]; source: string; target: string; format: string; api_key?: string }
    if (api_key !== undefined && api_key !== LIBRE_KEY) return [{ error: 'Invalid API key' }, 403]
    if (format !== 'text' || !['en', 'fr'].includes(target)) return [{ error: `${target} is not supported` }, 400]
    return [{ translatedText: toTexts(q, target) }]
  }
  return [{ message: 'Not found' }, 404]
}

interface Installed {
  service?: 'deepl' | 'azure' | 'libretranslate'
  apiKey?: string
  charactersPerDay?: number
}

/** Machine translation, set up and enabled on a site. */
export async function installTranslation(
  runtime: Runtime,
  site: Site,
  server: TranslationServer,
  { service = 'deepl', apiKey = DEEPL_KEY, charactersPerDay = 100_000 }: Installed = {},
): Promise<string> {
  const id = createId()
  const settings = { service, address: server.origin, charactersPerDay, ...(service === 'azure' && { region: 'canadacentral' }) }
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(installations).values({
      siteId: site.id,
      id,
      integration: 'machine-translation',
      settings,
      sealedSecrets: sealSecret(getSealingKeys(runtime), buildSealContext(id), JSON.stringify({ apiKey })),
      enabledAt: new Date(),
    }),
  )
  return id
}
