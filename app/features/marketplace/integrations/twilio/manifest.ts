import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'
import { SPENDING_SETTINGS } from '../sms-spending.ts'

const describeSetting = <S extends v.GenericSchema<string | undefined, string | undefined>>(schema: S, words: FieldWords) =>
  v.pipe(schema, v.metadata(words))

export const twilio = {
  id: 'sms-twilio',
  name: { en: 'Text messages by Twilio', 'fr-CA': 'Textos par Twilio', cy: 'Negeseuon testun gan Twilio' },
  category: 'sms',
  does: {
    en: 'Sends texts through your own account with Twilio, at Twilio’s prices.',
    'fr-CA': 'Envoie des textos par votre propre compte chez Twilio, aux tarifs de Twilio.',
    cy: 'Mae’n anfon negeseuon testun drwy eich cyfrif eich hun gyda Twilio, am brisiau Twilio.',
  },
  leaves: [
    {
      en: 'The phone number and the words of each text, to Twilio and the phone networks.',
      'fr-CA': 'Le numéro de téléphone et les mots de chaque texto, vers Twilio et les réseaux téléphoniques.',
      cy: 'Rhif ffôn a geiriau pob neges destun, i Twilio ac i’r rhwydweithiau ffôn.',
    },
  ],
  settings: v.object({
    address: describeSetting(v.optional(v.pipe(v.string(), v.trim(), v.url(), v.maxLength(200)), 'https://api.twilio.com'), {
      label: { en: 'Address of the service', 'fr-CA': 'Adresse du service', cy: 'Cyfeiriad y gwasanaeth' },
      hint: {
        en: 'Only where your account is in another region, such as https://api.dublin.ie1.twilio.com. Changing it asks for the token again.',
        'fr-CA':
          'Seulement si votre compte est dans une autre région, p. ex. https://api.dublin.ie1.twilio.com. La modifier redemande le jeton.',
        cy: 'Dim ond os yw eich cyfrif mewn rhanbarth arall, megis https://api.dublin.ie1.twilio.com. Bydd ei newid yn gofyn am y tocyn eto.',
      },
      destination: true,
      reaches: 'web',
    }),
    accountSid: describeSetting(v.pipe(v.string(), v.trim(), v.regex(/^AC[0-9a-f]{32}$/, 'wrong-format')), {
      label: { en: 'Account SID', 'fr-CA': 'SID du compte', cy: 'SID y cyfrif' },
      hint: {
        en: 'Begins with AC. It is on the first page of Twilio’s console.',
        'fr-CA': 'Commence par AC. Il figure sur la première page de la console Twilio.',
        cy: 'Mae’n dechrau gydag AC. Mae ar dudalen gyntaf consol Twilio.',
      },
    }),
    authToken: describeSetting(v.pipe(v.string(), v.trim(), v.regex(/^[0-9a-f]{32}$/, 'wrong-format')), {
      label: { en: 'Auth token', 'fr-CA': 'Jeton d’authentification', cy: 'Tocyn dilysu' },
      secret: true,
    }),
    from: describeSetting(v.pipe(v.string(), v.trim(), v.regex(/^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/, 'wrong-format')), {
      label: { en: 'Sender', 'fr-CA': 'Expéditeur', cy: 'Anfonwr' },
      hint: {
        en: 'A number of your account, such as +16135550100, or a messaging service’s SID that begins with MG.',
        'fr-CA': 'Un numéro de votre compte, p. ex. +16135550100, ou le SID d’un service de messagerie, qui commence par MG.',
        cy: 'Rhif eich cyfrif, megis +16135550100, neu SID gwasanaeth negeseuon sy’n dechrau gydag MG.',
      },
    }),
    perSecond: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(400)), 1),
      v.metadata({
        label: { en: 'Texts a second', 'fr-CA': 'Textos par seconde', cy: 'Negeseuon yr eiliad' },
        hint: {
          en: 'What Twilio allows your sender: 1 for a long number, 100 for a short code.',
          'fr-CA': 'Ce que Twilio permet à votre expéditeur : 1 pour un numéro long, 100 pour un numéro court.',
          cy: 'Yr hyn y mae Twilio yn ei ganiatáu i’ch anfonwr: 1 i rif hir, 100 i god byr.',
        },
      } satisfies FieldWords),
    ),
    ...SPENDING_SETTINGS,
  }),
  capabilities: ['send-sms', 'receive-sms'],
  feature: 'marketplace_sms_integration',
} as const satisfies Manifest
