import type { Translated } from '#app/lib/translated.ts'
import { enFr } from './texts.ts'

export interface DemoSmsCampaign {
  name: string
  text: Translated
  /** Days from now. */
  day: number
  /** The wording that people agreed to. */
  consent: Translated
}

/** A finished SMS campaign, for sites that have the feature. */
export const SMS_CAMPAIGNS: Readonly<Record<string, DemoSmsCampaign>> = {
  riverbend: {
    name: 'Riverfront walk, first invitation',
    text: enFr(
      '{{name}}, walk the riverfront with the planners this Saturday at 10, from the boathouse. Rain or shine. More: {{link}}',
      '{{name}}, venez marcher sur la rive avec les urbanistes samedi à 10 h, départ du hangar à bateaux. Pour en savoir plus : {{link}}',
    ),
    day: -6,
    consent: enFr(
      'Riverbend may send me news of its consultations by text',
      'Riverbend peut m’envoyer par texto des nouvelles de ses consultations',
    ),
  },
}
