import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'

export const sentry = {
  id: 'sentry',
  name: 'Sentry',
  category: 'insight',
  does: {
    en: 'Reports faults in the pages to a Sentry project of your own, after consent where the site asks for it.',
    'fr-CA': 'Signale les défaillances des pages à votre propre projet Sentry, après consentement si le site le demande.',
    cy: 'Mae’n adrodd am ddiffygion yn y tudalennau i’ch prosiect Sentry eich hun, ar ôl cydsyniad lle mae’r safle’n gofyn amdano.',
  },
  leaves: [
    {
      en: 'Of each fault: what went wrong, on which page, in which browser, and how long pages took. No cookies, no form’s content, no names.',
      'fr-CA':
        'De chaque défaillance : ce qui s’est passé, sur quelle page, dans quel navigateur, et la durée des pages. Ni témoins, ni contenu de formulaires, ni noms.',
      cy: 'O bob diffyg: beth aeth o’i le, ar ba dudalen, ym mha borwr, a pha mor hir a gymerodd tudalennau. Dim cwcis, dim cynnwys ffurflenni, dim enwau.',
    },
  ],
  settings: v.object({
    dsn: v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(300),
      v.url(),
      v.regex(/^https?:\/\/[A-Za-z0-9]+@[A-Za-z0-9.:-]+\/\d+$/, 'wrong-format'),
      v.metadata({
        label: { en: 'DSN', 'fr-CA': 'DSN', cy: 'DSN' },
        hint: {
          en: 'Such as https://key@o1.ingest.sentry.io/2. It is in the pages, so it is no secret.',
          'fr-CA': 'P. ex. https://cle@o1.ingest.sentry.io/2. Il figure dans les pages; ce n’est pas un secret.',
          cy: 'Megis https://allwedd@o1.ingest.sentry.io/2. Mae yn y tudalennau, felly nid yw’n gyfrinach.',
        },
      } satisfies FieldWords),
    ),
  }),
  capabilities: ['error-reports'],
  feature: null,
  onPages: true,
} as const satisfies Manifest
