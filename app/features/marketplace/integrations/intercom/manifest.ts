import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'

export const intercom = {
  id: 'intercom',
  name: 'Intercom',
  category: 'insight',
  does: {
    en: 'Gives the site’s administrators a support chat in an Intercom workspace of your own. Participants and visitors never get it.',
    'fr-CA':
      'Offre aux personnes qui administrent le site un clavardage de soutien dans votre propre espace Intercom. Le public ne le voit jamais.',
    cy: 'Mae’n rhoi sgwrs gymorth i weinyddwyr y safle yn eich gweithle Intercom eich hun. Nid yw cyfranogwyr nac ymwelwyr byth yn ei chael.',
  },
  leaves: [
    {
      en: 'Only of administrators: name, email address and role, the site, and which parts of the product it uses; and what they write in the chat.',
      'fr-CA':
        'Des seules personnes qui administrent : nom, courriel et rôle, le site et les parties du produit qu’il utilise; et ce qu’elles écrivent dans le clavardage.',
      cy: 'O weinyddwyr yn unig: enw, cyfeiriad e-bost a rôl, y safle, a pha rannau o’r cynnyrch y mae’n eu defnyddio; a’r hyn y maent yn ei ysgrifennu yn y sgwrs.',
    },
  ],
  settings: v.object({
    appId: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^[A-Za-z0-9_-]{3,40}$/, 'wrong-format'),
      v.metadata({
        label: { en: 'Workspace id', 'fr-CA': 'Identifiant de l’espace', cy: 'Dynodydd y gweithle' },
        hint: {
          en: 'Also called app id. It is in the pages, so it is no secret.',
          'fr-CA': 'Aussi appelé « app id ». Il figure dans les pages; ce n’est pas un secret.',
          cy: 'A elwir hefyd yn “app id”. Mae yn y tudalennau, felly nid yw’n gyfrinach.',
        },
      } satisfies FieldWords),
    ),
    region: v.pipe(
      v.optional(v.picklist(['us', 'eu', 'au']), 'us'),
      v.metadata({
        label: { en: 'Region of the workspace', 'fr-CA': 'Région de l’espace', cy: 'Rhanbarth y gweithle' },
        choices: {
          us: { en: 'United States', 'fr-CA': 'États-Unis', cy: 'Unol Daleithiau' },
          eu: { en: 'European Union', 'fr-CA': 'Union européenne', cy: 'Yr Undeb Ewropeaidd' },
          au: { en: 'Australia', 'fr-CA': 'Australie', cy: 'Awstralia' },
        },
      } satisfies FieldWords),
    ),
  }),
  capabilities: ['support-chat'],
  feature: null,
  onPages: true,
} as const satisfies Manifest
