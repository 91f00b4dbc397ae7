import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'
import { SPENDING_SETTINGS } from '../sms-spending.ts'

export const smsSandbox = {
  id: 'sms-sandbox',
  name: { en: 'Text message sandbox', 'fr-CA': 'Bac à sable des textos', cy: 'Blwch tywod negeseuon testun' },
  category: 'sms',
  does: {
    en: 'Keeps texts inside the product, so that campaigns and surveys by text can be tried out. Nobody’s phone rings.',
    'fr-CA': 'Garde les textos dans le produit, pour essayer campagnes et sondages par texto. Aucun téléphone ne sonne.',
    cy: 'Mae’n cadw negeseuon testun o fewn y cynnyrch, er mwyn rhoi cynnig ar ymgyrchoedd ac arolygon. Nid yw ffôn neb yn canu.',
  },
  leaves: [],
  settings: v.object({
    sender: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^[A-Za-z0-9 ]{2,11}$/, 'wrong-format'),
      v.metadata({
        label: { en: 'Sender', 'fr-CA': 'Expéditeur', cy: 'Anfonwr' },
        hint: {
          en: 'Two to eleven letters and digits.',
          'fr-CA': 'De deux à onze lettres ou chiffres.',
          cy: 'Rhwng dwy ac un ar ddeg o lythrennau a digidau.',
        },
      } satisfies FieldWords),
    ),
    ...SPENDING_SETTINGS,
  }),
  capabilities: ['send-sms', 'receive-sms'],
  feature: 'marketplace_sms_integration',
  triedAt: '/admin/marketplace/sms-sandbox/phone',
} as const satisfies Manifest
