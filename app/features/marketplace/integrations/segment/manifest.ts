import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'

export const segment = {
  id: 'segment',
  name: 'Segment',
  category: 'insight',
  does: {
    en: 'Measures how the site is used, in a Segment workspace of your own. Works where the platform has switched analytics on for the site, and after consent where the site asks for it.',
    'fr-CA':
      'Mesure l’utilisation du site, dans votre propre espace Segment. Fonctionne là où la plateforme a activé l’analytique pour le site, et après consentement si le site le demande.',
    cy: 'Mae’n mesur sut y defnyddir y safle, yn eich gweithle Segment eich hun. Mae’n gweithio lle mae’r platfform wedi troi dadansoddeg ymlaen i’r safle, ac ar ôl cydsyniad lle mae’r safle’n gofyn amdano.',
  },
  leaves: [
    {
      en: 'Which pages are looked at and what is pressed, from each browser to Segment; of those signed in, the account’s id and role.',
      'fr-CA':
        'Les pages consultées et ce qui est activé, de chaque navigateur vers Segment; pour les personnes connectées, l’identifiant et le rôle du compte.',
      cy: 'Pa dudalennau y mae pobl yn edrych arnynt a beth y maent yn ei bwyso, o bob porwr i Segment; o’r rhai sydd wedi mewngofnodi, dynodydd a rôl y cyfrif.',
    },
  ],
  settings: v.object({
    writeKey: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^[A-Za-z0-9_-]{8,100}$/, 'wrong-format'),
      v.metadata({
        label: { en: 'Write key', 'fr-CA': 'Clé d’écriture', cy: 'Allwedd ysgrifennu' },
        hint: {
          en: 'Of a JavaScript source. It is in the pages, so it is no secret.',
          'fr-CA': 'D’une source JavaScript. Elle figure dans les pages; ce n’est pas un secret.',
          cy: 'O ffynhonnell JavaScript. Mae yn y tudalennau, felly nid yw’n gyfrinach.',
        },
      } satisfies FieldWords),
    ),
    region: v.pipe(
      v.optional(v.picklist(['us', 'eu']), 'us'),
      v.metadata({
        label: { en: 'Region of the workspace', 'fr-CA': 'Région de l’espace', cy: 'Rhanbarth y gweithle' },
        choices: {
          us: { en: 'United States', 'fr-CA': 'États-Unis', cy: 'Unol Daleithiau' },
          eu: { en: 'European Union', 'fr-CA': 'Union européenne', cy: 'Yr Undeb Ewropeaidd' },
        },
      } satisfies FieldWords),
    ),
  }),
  capabilities: ['site-analytics'],
  feature: null,
  onPages: true,
} as const satisfies Manifest
