import * as v from 'valibot'
import { CURRENCIES, type FieldWords } from '../marketplace.schema.ts'

const repeatInLanguages = (text: string) => ({ en: text, 'fr-CA': text, cy: text })

/** Settings shared by all SMS services: the price of a message, and a monthly limit. */
export const SPENDING_SETTINGS = {
  pricePerText: v.pipe(
    v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(10))),
    v.metadata({
      label: { en: 'Price of a text', 'fr-CA': 'Prix d’un texto', cy: 'Pris neges destun' },
      hint: {
        en: 'As your contract has it, for one text of up to 160 characters, such as 0.0079. Campaigns show what they are likely to cost.',
        'fr-CA':
          'Selon votre contrat, pour un texto d’au plus 160 caractères, p. ex. 0,0079. Les campagnes montrent leur coût probable avant l’envoi.',
        cy: 'Yn ôl eich contract, am un neges o hyd at 160 nod, megis 0.0079. Mae ymgyrchoedd yn dangos eu cost debygol cyn eu hanfon.',
      },
    } satisfies FieldWords),
  ),
  currency: v.pipe(
    v.optional(v.picklist(CURRENCIES), 'CAD'),
    v.metadata({
      label: { en: 'Currency of the price', 'fr-CA': 'Devise du prix', cy: 'Arian cyfred y pris' },
      choices: Object.fromEntries(CURRENCIES.map((code) => [code, repeatInLanguages(code)])),
    } satisfies FieldWords),
  ),
  textsAMonth: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000))),
    v.metadata({
      label: { en: 'Most texts a month', 'fr-CA': 'Maximum de textos par mois', cy: 'Uchafswm negeseuon y mis' },
      hint: {
        en: 'Everything this site sends in a calendar month counts, a long text as several. A campaign that would pass it is not sent. Empty: no limit.',
        'fr-CA':
          'Tout ce que le site envoie en un mois civil compte, un long texto pour plusieurs. Une campagne qui le dépasserait n’est pas envoyée. Vide : aucune limite.',
        cy: 'Mae popeth y mae’r wefan yn ei anfon mewn mis calendr yn cyfrif, a neges hir fel sawl un. Ni chaiff ymgyrch a âi drosto ei hanfon. Gwag: dim terfyn.',
      },
    } satisfies FieldWords),
  ),
}
