import * as v from 'valibot'
import type { FieldWords, TextInCode, Manifest } from '../../marketplace.schema.ts'

const defineEventSetting = (label: TextInCode, hint?: TextInCode) =>
  v.pipe(v.optional(v.boolean(), true), v.metadata({ label, ...(hint ? { hint } : {}) } satisfies FieldWords))

const defineGeneratedSetting = (secret: boolean) =>
  v.pipe(v.optional(v.string()), v.metadata({ label: { en: '', 'fr-CA': '', cy: '' }, secret, made: true } satisfies FieldWords))

export const webhooks = {
  id: 'webhooks',
  name: { en: 'Webhooks', 'fr-CA': 'Webhooks', cy: 'Gwe-fachau' },
  category: 'events',
  does: {
    en: 'Tells an address of your own what happens on the site, as it happens. Each message is signed, sent again for five days if it fails, and kept in a list.',
    'fr-CA':
      'Annonce à une adresse de votre choix, au fur et à mesure, ce qui se passe sur le site : signé, réessayé pendant cinq jours et conservé dans une liste.',
    cy: 'Mae’n dweud wrth gyfeiriad o’ch dewis, wrth iddo ddigwydd, beth sy’n digwydd ar y wefan: wedi’i lofnodi, ei ailgynnig am bum niwrnod a’i gadw mewn rhestr.',
  },
  leaves: [
    {
      en: 'What happened, when, and the ids and titles of what it is about. Never an answer, a name or an email address: a program that needs them asks the API with its own token.',
      'fr-CA':
        'Ce qui s’est passé, quand, et les identifiants et titres de ce dont il s’agit. Jamais une réponse, un nom ni une adresse de courriel : qui en a besoin les demande à l’API avec son propre jeton.',
      cy: 'Beth ddigwyddodd, pryd, a dynodyddion a theitlau’r hyn y mae’n sôn amdano. Byth ateb, enw na chyfeiriad e-bost: bydd y sawl sydd eu hangen yn gofyn i’r API gyda’i docyn ei hun.',
    },
  ],
  settings: v.object({
    address: v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(500),
      v.url(),
      v.regex(/^https?:\/\//i, 'wrong-format'),
      v.metadata({
        label: { en: 'Address', 'fr-CA': 'Adresse', cy: 'Cyfeiriad' },
        hint: {
          en: 'Where each event is sent, on the public internet, such as https://hooks.example.org/parley.',
          'fr-CA': 'Où chaque événement est envoyé, sur l’internet public, p. ex. https://hooks.example.org/parley.',
          cy: 'Lle caiff pob digwyddiad ei bostio, ar y rhyngrwyd cyhoeddus, megis https://hooks.example.org/parley.',
        },
        reaches: 'web',
      } satisfies FieldWords),
    ),
    responses: defineEventSetting(
      { en: 'A response was received', 'fr-CA': 'Une réponse a été reçue', cy: 'Daeth ymateb i law' },
      {
        en: 'Its id and its survey’s, but not the answers or who gave them. Responses imported from a file are not reported.',
        'fr-CA':
          'Son identifiant et celui du sondage, sans ce qui a été répondu ni par qui. Les réponses importées d’un fichier ne sont pas annoncées.',
        cy: 'Ei ddynodydd ac un yr arolwg, heb yr hyn a atebwyd na gan bwy. Ni ddywedir am ymatebion a fewnforiwyd o ffeil.',
      },
    ),
    surveyOpenings: defineEventSetting({ en: 'A survey opened', 'fr-CA': 'Un sondage a ouvert', cy: 'Agorodd arolwg' }),
    surveyClosings: defineEventSetting({ en: 'A survey closed', 'fr-CA': 'Un sondage a fermé', cy: 'Caeodd arolwg' }),
    projects: defineEventSetting({ en: 'A project was published', 'fr-CA': 'Un projet a été publié', cy: 'Cyhoeddwyd prosiect' }),
    updates: defineEventSetting({ en: 'An update was published', 'fr-CA': 'Une nouvelle a été publiée', cy: 'Cyhoeddwyd diweddariad' }),
    participants: defineEventSetting(
      { en: 'A participant registered', 'fr-CA': 'Une personne s’est inscrite', cy: 'Cofrestrodd cyfranogwr' },
      {
        en: 'Once they have confirmed their address. Only the account’s id is sent.',
        'fr-CA': 'Une fois l’adresse confirmée : l’identifiant du compte seulement.',
        cy: 'Ar ôl iddynt gadarnhau eu cyfeiriad: dynodydd y cyfrif yn unig.',
      },
    ),
    signingSecret: defineGeneratedSetting(true),
    formerSecret: defineGeneratedSetting(true),
    formerUntil: defineGeneratedSetting(false),
  }),
  capabilities: ['send-webhooks'],
  feature: null,
} as const satisfies Manifest
