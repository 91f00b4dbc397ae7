import * as v from 'valibot'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Settings } from '../../marketplace.schema.ts'
import { type Integration, ProviderFault, type Service, type ServiceRequest, type TextTranslator } from '../integration.server.ts'
import { machineTranslation, SERVICE_NAMES, TRANSLATION_SERVICES, type TranslationService } from './manifest.ts'

/** A reader waits for it. */
const WITHIN_MS = 10_000

interface Asked {
  texts: readonly string[]
  from: ContentLanguage
  to: ContentLanguage
}

/** How one service is asked and what it answers. */
interface Protocol {
  /** Its codes: of the language of a source, and of the one to translate into. */
  codes: Partial<Record<ContentLanguage, { source: string; target: string }>>
  buildRequest: (settings: Settings, texts: readonly string[], source: string, target: string) => Omit<ServiceRequest, 'operation'>
  /** @returns undefined if the answer is not as documented */
  readTexts: (body: unknown) => string[] | undefined
  codeOf: (body: unknown) => string | undefined
}

const PROTOCOLS: Record<TranslationService, Protocol> = {
  deepl: {
    codes: {
      en: { source: 'EN', target: 'EN-GB' },
      'fr-CA': { source: 'FR', target: 'FR-CA' },
      cy: { source: 'CY', target: 'CY' },
    },
    buildRequest: (settings, text, source, target) => {
      const key = readText(settings, 'apiKey')
      // Keys of the free plan end so, and belong to another host.
      const base = readBase(settings, key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com')
      return postJson(
        base,
        '/v2/translate',
        '',
        { text, source_lang: source, target_lang: target, preserve_formatting: true },
        {
          authorization: `DeepL-Auth-Key ${key}`,
        },
      )
    },
    readTexts: (body) =>
      parseBody(v.object({ translations: v.array(v.object({ text: v.string() })) }), body)?.translations.map(({ text }) => text),
    codeOf: (body) => parseBody(v.object({ message: v.string() }), body)?.message,
  },
  azure: {
    codes: { en: { source: 'en', target: 'en' }, 'fr-CA': { source: 'fr', target: 'fr-ca' }, cy: { source: 'cy', target: 'cy' } },
    buildRequest: (settings, texts, source, target) => {
      const base = readBase(settings, 'https://api.cognitive.microsofttranslator.com')
      const region = readText(settings, 'region')
      // A resource with an address of its own serves the same interface below another path.
      const path = new URL(base).hostname.endsWith('.cognitiveservices.azure.com') ? '/translator/text/v3.0/translate' : '/translate'
      const query = `?${new URLSearchParams({ 'api-version': '3.0', from: source, to: target, textType: 'plain' })}`
      return postJson(
        base,
        path,
        query,
        texts.map((Text) => ({ Text })),
        {
          'ocp-apim-subscription-key': readText(settings, 'apiKey'),
          ...(region && { 'ocp-apim-subscription-region': region }),
        },
      )
    },
    readTexts: (body) =>
      parseBody(v.array(v.object({ translations: v.strictTuple([v.object({ text: v.string() })]) })), body)?.map(
        ({ translations: [{ text }] }) => text,
      ),
    codeOf: (body) => parseBody(v.object({ error: v.object({ code: v.number() }) }), body)?.error.code.toString(),
  },
  libretranslate: {
    codes: { en: { source: 'en', target: 'en' }, 'fr-CA': { source: 'fr', target: 'fr' } },
    buildRequest: (settings, q, source, target) => {
      const key = readText(settings, 'apiKey')
      const body = { q, source, target, format: 'text', ...(key && { api_key: key }) }
      return postJson(readBase(settings, 'https://libretranslate.com'), '/translate', '', body)
    },
    readTexts: (body) => parseBody(v.object({ translatedText: v.array(v.string()) }), body)?.translatedText,
    codeOf: (body) => parseBody(v.object({ error: v.string() }), body)?.error,
  },
}

/** DeepL’s API version 2, Azure Translator’s version 3.0 and LibreTranslate, each with a list of plain texts. */
const translator: TextTranslator = {
  getName: (settings) => SERVICE_NAMES[readService(settings)],
  canTranslate: (settings, from, to) => {
    const { codes } = PROTOCOLS[readService(settings)]
    return from !== to && codes[from] !== undefined && codes[to] !== undefined
  },
  getDailyLimit: ({ charactersPerDay }) => Number(charactersPerDay),
  translate: (service, asked) => translateWith(service, 'translate', asked),
}

export const machineTranslationIntegration: Integration = {
  manifest: machineTranslation,
  check: async (service) => {
    await translateWith(service, 'check', { texts: ['Hello'], from: 'en', to: 'fr-CA' })
  },
  translator,
}

async function translateWith(service: Service, operation: string, { texts, from, to }: Asked): Promise<string[]> {
  const { codes, buildRequest, readTexts, codeOf } = PROTOCOLS[readService(service.settings)]
  const [source, target] = [codes[from]?.source, codes[to]?.target]
  if (!source || !target) throw new ProviderFault('message-refused', `no translation from ${from} into ${to}`)
  const { body } = await service.sendRequest({ ...buildRequest(service.settings, texts, source, target), operation, codeOf })
  const translated = readTexts(body)
  if (translated?.length !== texts.length || translated.some((text) => text.trim() === ''))
    throw new ProviderFault('provider-not-understood', 'not one translation for each text', { unsure: true })
  // What the database cannot store.
  return translated.map((text) => text.replaceAll('\0', '').toWellFormed())
}

const readText = (settings: Settings, name: string): string => String(settings[name] ?? '')

const readService = (settings: Settings): TranslationService =>
  TRANSLATION_SERVICES.find((service) => service === settings['service']) ?? 'deepl'

const readBase = (settings: Settings, usual: string): string => (readText(settings, 'address') || usual).replace(/\/$/, '')

const parseBody = <S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> | undefined => {
  const read = v.safeParse(schema, body)
  return read.success ? read.output : undefined
}

const postJson = (
  base: string,
  path: string,
  query: string,
  body: unknown,
  secrets?: Record<string, string>,
): Omit<ServiceRequest, 'operation'> => ({
  url: `${base}${path}${query}`,
  target: `${new URL(base).host}${path}`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  ...(secrets && { secrets }),
  body: JSON.stringify(body),
  withinMs: WITHIN_MS,
})
