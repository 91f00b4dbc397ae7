import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'
import { SPENDING_SETTINGS } from '../sms-spending.ts'

const describeSetting = <S extends v.GenericSchema<string | undefined, string | undefined>>(schema: S, words: FieldWords) =>
  v.pipe(schema, v.metadata(words))
const uuidSchema = v.pipe(v.string(), v.trim(), v.uuid('wrong-format'))

export const govNotify = {
  id: 'sms-gov-notify',
  name: { en: 'Text messages by GOV.UK Notify', 'fr-CA': 'Textos par GOV.UK Notify', cy: 'Negeseuon testun gan GOV.UK Notify' },
  category: 'sms',
  does: {
    en: 'Sends texts through your own service with GOV.UK Notify, from its yearly free allowance first.',
    'fr-CA': 'Envoie des textos par votre propre service chez GOV.UK Notify, d’abord sur son quota annuel gratuit.',
    cy: 'Mae’n anfon negeseuon testun drwy eich gwasanaeth eich hun gyda GOV.UK Notify, o’i lwfans blynyddol rhad ac am ddim yn gyntaf.',
  },
  leaves: [
    {
      en: 'The phone number and the words of each text, to GOV.UK Notify and the phone networks.',
      'fr-CA': 'Le numéro de téléphone et les mots de chaque texto, vers GOV.UK Notify et les réseaux téléphoniques.',
      cy: 'Rhif ffôn a geiriau pob neges destun, i GOV.UK Notify ac i’r rhwydweithiau ffôn.',
    },
  ],
  settings: v.object({
    address: describeSetting(
      v.optional(v.pipe(v.string(), v.trim(), v.url(), v.maxLength(200)), 'https://api.notifications.service.gov.uk'),
      {
        label: { en: 'Address of the service', 'fr-CA': 'Adresse du service', cy: 'Cyfeiriad y gwasanaeth' },
        hint: {
          en: 'Only for another government’s Notify, such as https://api.notification.canada.ca. Changing it asks for the key again.',
          'fr-CA':
            'Seulement pour le Notify d’un autre gouvernement, p. ex. https://api.notification.canada.ca. La modifier redemande la clé.',
          cy: 'Dim ond ar gyfer Notify llywodraeth arall, megis https://api.notification.canada.ca. Bydd ei newid yn gofyn am yr allwedd eto.',
        },
        destination: true,
        reaches: 'web',
      },
    ),
    apiKey: describeSetting(v.pipe(v.string(), v.trim(), v.regex(/-[0-9a-f-]{36}-[0-9a-f-]{36}$/, 'wrong-format')), {
      label: { en: 'API key', 'fr-CA': 'Clé d’API', cy: 'Allwedd API' },
      hint: {
        en: 'Whole, as Notify shows it once: its name, the service’s id and the secret. Kept encrypted and never shown again.',
        'fr-CA': 'Entière, comme Notify la montre une seule fois : son nom, l’identifiant du service et le secret. Conservée chiffrée.',
        cy: 'Yn gyfan, fel y mae Notify yn ei dangos unwaith: ei henw, rhif y gwasanaeth a’r gyfrinach. Cedwir yn amgryptiedig.',
      },
      secret: true,
    }),
    templateId: describeSetting(uuidSchema, {
      label: { en: 'Template’s id', 'fr-CA': 'Identifiant du modèle', cy: 'Rhif y templed' },
      hint: {
        en: 'Of a text message template that holds ((message)) and nothing else.',
        'fr-CA': 'D’un modèle de texto qui contient ((message)) et rien d’autre.',
        cy: 'Templed neges destun sy’n cynnwys ((message)) a dim arall.',
      },
    }),
    senderId: describeSetting(v.optional(uuidSchema), {
      label: { en: 'Sender’s id', 'fr-CA': 'Identifiant de l’expéditeur', cy: 'Rhif yr anfonwr' },
      hint: {
        en: 'Only where your service has several senders.',
        'fr-CA': 'Seulement si votre service a plusieurs expéditeurs.',
        cy: 'Dim ond os oes gan eich gwasanaeth sawl anfonwr.',
      },
    }),
    callbackToken: describeSetting(v.optional(v.pipe(v.string(), v.trim(), v.minLength(10), v.maxLength(200))), {
      label: { en: 'Callback bearer token', 'fr-CA': 'Jeton de rappel', cy: 'Tocyn galw’n ôl' },
      hint: {
        en: 'Of your own making, at least 10 characters. Give it to Notify with the address below. Without it, nothing Notify tells is believed.',
        'fr-CA':
          'De votre cru, au moins 10 caractères. Donnez-le à Notify avec l’adresse ci-dessous. Sans lui, rien de ce que dit Notify n’est cru.',
        cy: 'O’ch dewis eich hun, o leiaf 10 nod. Rhowch ef i Notify gyda’r cyfeiriad isod. Hebddo, ni chredir dim a ddywed Notify.',
      },
      secret: true,
    }),
    ...SPENDING_SETTINGS,
  }),
  capabilities: ['send-sms', 'receive-sms'],
  feature: 'marketplace_sms_integration',
} as const satisfies Manifest
