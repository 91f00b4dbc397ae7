import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'

export const TRANSLATION_SERVICES = ['deepl', 'azure', 'libretranslate'] as const
export type TranslationService = (typeof TRANSLATION_SERVICES)[number]

/** Names of companies and of free software, the same in every language. */
export const SERVICE_NAMES: Record<TranslationService, string> = {
  deepl: 'DeepL',
  azure: 'Azure Translator',
  libretranslate: 'LibreTranslate',
}

const describeSetting = <S extends v.GenericSchema>(schema: S, words: FieldWords) => v.pipe(schema, v.metadata(words))
const repeatInLanguages = (text: string) => ({ en: text, 'fr-CA': text, cy: text })

export const machineTranslation = {
  id: 'machine-translation',
  name: { en: 'Machine translation', 'fr-CA': 'Traduction automatique', cy: 'Cyfieithu peirianyddol' },
  category: 'languages',
  does: {
    en: 'Lets readers have a contribution, a reply or an official answer translated into the language of the page. Each text is translated once and kept.',
    'fr-CA':
      'Permet de faire traduire une contribution, un commentaire ou une réponse officielle dans la langue de la page. Chaque texte est traduit une seule fois, puis conservé.',
    cy: 'Mae’n gadael i ddarllenwyr gael cyfraniad, sylw neu ateb swyddogol wedi’i gyfieithu i iaith y dudalen. Caiff pob testun ei gyfieithu unwaith a’i gadw.',
  },
  leaves: [
    {
      en: 'The words of a text that a reader asks for, as everyone can read them, to this service. No names, and nothing about the reader.',
      'fr-CA':
        'Les mots d’un texte dont quelqu’un demande la traduction, tels que tout le monde peut les lire, vers ce service. Aucun nom, et rien sur la personne qui lit.',
      cy: 'Geiriau testun y mae darllenydd yn gofyn amdano, fel y gall pawb eu darllen, i’r gwasanaeth hwn. Dim enwau, a dim byd am y darllenydd.',
    },
  ],
  settings: v.object({
    service: describeSetting(v.picklist(TRANSLATION_SERVICES), {
      label: { en: 'Service', 'fr-CA': 'Service', cy: 'Gwasanaeth' },
      hint: {
        en: 'LibreTranslate does not know Welsh. Changing the service asks for the key again.',
        'fr-CA': 'LibreTranslate ne connaît pas le gallois. Changer de service redemande la clé.',
        cy: 'Nid yw LibreTranslate yn gwybod Cymraeg. Bydd newid y gwasanaeth yn gofyn am yr allwedd eto.',
      },
      choices: Object.fromEntries(TRANSLATION_SERVICES.map((service) => [service, repeatInLanguages(SERVICE_NAMES[service])])),
      destination: true,
    }),
    address: describeSetting(
      v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300), v.url(), v.regex(/^https?:\/\/[^/?#\s]+\/?$/, 'wrong-format'))),
      {
        label: { en: 'Address', 'fr-CA': 'Adresse', cy: 'Cyfeiriad' },
        hint: {
          en: 'Of your own LibreTranslate, or of an Azure region such as https://api-eur.cognitive.microsofttranslator.com. Empty: the service’s usual address. Changing it asks for the key again.',
          'fr-CA':
            'De votre propre LibreTranslate, ou d’une région d’Azure, p. ex. https://api-eur.cognitive.microsofttranslator.com. Vide : l’adresse habituelle du service. La modifier redemande la clé.',
          cy: 'Eich LibreTranslate eich hun, neu ranbarth Azure megis https://api-eur.cognitive.microsofttranslator.com. Gwag: cyfeiriad arferol y gwasanaeth. Bydd ei newid yn gofyn am yr allwedd eto.',
        },
        destination: true,
        reaches: 'web',
      },
    ),
    apiKey: describeSetting(
      v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(300), v.regex(/^[\x21-\x7e]+$/, 'wrong-format'))),
      {
        label: { en: 'Key', 'fr-CA': 'Clé', cy: 'Allwedd' },
        hint: {
          en: 'Kept encrypted and never shown again. Your own LibreTranslate may need none.',
          'fr-CA': 'Conservée chiffrée et jamais montrée de nouveau. Votre propre LibreTranslate peut s’en passer.',
          cy: 'Cedwir yn amgryptiedig ac nis dangosir eto. Efallai na fydd angen un ar eich LibreTranslate eich hun.',
        },
        secret: true,
      },
    ),
    region: describeSetting(v.optional(v.pipe(v.string(), v.trim(), v.regex(/^[a-z\d]{2,40}$/, 'wrong-format'))), {
      label: { en: 'Azure region', 'fr-CA': 'Région d’Azure', cy: 'Rhanbarth Azure' },
      hint: {
        en: 'Of your Translator resource, such as canadacentral. Empty if it is global, or for another service.',
        'fr-CA': 'De votre ressource Translator, p. ex. canadacentral. Vide si elle est mondiale, ou pour un autre service.',
        cy: 'Rhanbarth eich adnodd Translator, megis canadacentral. Gwag os yw’n fyd-eang, neu ar gyfer gwasanaeth arall.',
      },
    }),
    charactersPerDay: describeSetting(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1000), v.maxValue(10_000_000)), 100_000), {
      label: { en: 'Most characters a day', 'fr-CA': 'Maximum de caractères par jour', cy: 'Uchafswm nodau’r dydd' },
      hint: {
        en: 'Services charge for each character. Once so many were sent within 24 hours, readers are told to try again later.',
        'fr-CA':
          'Les services facturent chaque caractère. Une fois ce nombre envoyé en 24 heures, on invite les gens à réessayer plus tard.',
        cy: 'Mae gwasanaethau’n codi tâl am bob nod. Ar ôl anfon cynifer o fewn 24 awr, dywedir wrth ddarllenwyr am roi cynnig arall arni yn nes ymlaen.',
      },
    }),
  }),
  capabilities: ['translate-texts'],
  feature: null,
  testing: {
    en: 'The test has one word translated, which counts as five characters.',
    'fr-CA': 'Le test fait traduire un mot, ce qui compte pour cinq caractères.',
    cy: 'Mae’r prawf yn cael un gair wedi’i gyfieithu, sy’n cyfrif fel pum nod.',
  },
} as const satisfies Manifest
