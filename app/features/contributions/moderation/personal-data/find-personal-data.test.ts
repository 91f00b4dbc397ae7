import { describe, expect, test } from 'vitest'
import { findPersonalData } from './find-personal-data.server.ts'

const find = (text: string, country: 'CA' | 'GB' | 'AU' | undefined = 'GB') =>
  findPersonalData(text, country).map(({ kind, text: passage }) => `${kind}: ${passage}`)

describe('what is found', () => {
  test.each([
    ['Write to ana.flores+park@example.org, please.', 'GB', ['email: ana.flores+park@example.org']],
    ['Écrivez à jean-françois@exemple.ca.', 'CA', ['email: jean-françois@exemple.ca']],
    ['Ring me on 07911 123456 after six.', 'GB', ['phone: 07911 123456']],
    ['Ffoniwch 029 2018 0123 neu (01632) 960 123.', 'GB', ['phone: 029 2018 0123']],
    ['Appelez-moi au 514 273-0123 ou au (514) 273-0199.', 'CA', ['phone: 514 273-0123', 'phone: (514) 273-0199']],
    ['Call 1-416-967-1111 or 4169671112.', 'CA', ['phone: 1-416-967-1111', 'phone: 4169671112']],
    ['From abroad: +44 20 7946 0018.', 'CA', ['phone: +44 20 7946 0018']],
    ['I live at 14 Mill Street, Cardiff CF10 1AA.', 'GB', ['address: 14 Mill Street, Cardiff CF10 1AA']],
    ['flat 3, 14b high street, cf10 1aa', 'GB', ['address: 14b high street, cf10 1aa']],
    ['Rwy’n byw yn 7 Heol y Bont, Aberystwyth SY23 1AB', 'GB', ['address: 7 Heol y Bont, Aberystwyth SY23 1AB']],
    [
      'J’habite au 1234, rue Saint-Denis, app. 5, Montréal (Québec) H2X 3K8.',
      'CA',
      ['address: 1234, rue Saint-Denis, app. 5, Montréal (Québec) H2X 3K8'],
    ],
    ['My number is QQ 12 34 56 C and AB123456D.', 'GB', ['national-insurance: AB123456D']],
    ['Mon NAS est le 046 454 286, puis 130-692-544.', 'CA', ['social-insurance: 130-692-544']],
    [
      '4111 1111 1111 1111, then 5500-0000-0000-0004 and 340000000000009',
      'GB',
      ['card: 4111 1111 1111 1111', 'card: 5500-0000-0000-0004', 'card: 340000000000009'],
    ],
  ] as const)('%s', (text, country, expected) => expect(find(text, country)).toEqual(expected))

  test('a number that fails its check digit is none', () => {
    expect(find('4111 1111 1111 1112')).toEqual([])
    expect(find('130 692 545', 'CA')).toEqual([])
  })

  test('says where it is', () => {
    const text = 'Mail ana@example.org now'
    const [found] = findPersonalData(text, 'GB')
    expect(text.slice(found?.start, found?.end)).toBe('ana@example.org')
  })

  test('knows a number however it is written', () => {
    const [key, other] = ['07911 123456', '+44 7911 123 456'].map((text) => findPersonalData(text, 'GB')[0]?.key)
    expect(key).toBe(other)
  })
})

const ORDINARY = {
  GB: [
    'The library opened in 1923 and was rebuilt between 1964 and 1968.',
    'It cost £1,234,567 in 2019, or £12.50 per person; the bid was £07700900123.',
    'Planning reference 21/01234/FUL and 2021/07700900/OUT were both refused.',
    'Buses 10, 11, 205 and X1234 stop here; the 14 bus goes to CF10 1AA.',
    'Count on Mill Street: 1200 1350 1470 1520 cars on 12.03.2026 between 07:00 and 19:00.',
    'Meeting on 01-12-2026 at 19:30, or 2026-12-01 19:30.',
    'Please fix junction 23A of the M4 near CF10 1AA.',
    'Call 0300 123 4567 or 0800 111 999 for help, 111 or 999 in an emergency.',
    'See https://example.org/id/02920180123 and bin number 029201801234567.',
    'I follow @riverbend; ISBN 978-0-306-40615-7; grid reference SO 12345 67890.',
    'Bus 14 on Mill Street, CF10 1AA is always late.',
    'In 2019 the Castle Hotel, CF10 1AA closed.',
    'Agorwyd y llyfrgell ym 1923, a gwariwyd £1,234,567 arni yn 2019.',
    'Cais cynllunio 21/01234/FUL: bysiau 10, 11 a 205, a 14 o goed ger CF10 1AA.',
    'Cyfarfod ar 12.03.2026 rhwng 10:00 a 11:30; tua 1200 1350 1470 o geir.',
    'Mae 123 456 782 o bobl yn cytuno.',
  ],
  CA: [
    'The budget is $123,456,782, or 123 456 782 $ as it is written in French.',
    'Le budget est de 130 692 544 $ pour 2026-2027, dont 4 165 550 123 $ pour les ponts.',
    'La bibliothèque a ouvert en 1923; la demande 21/01234/FUL date du 2026-11-23 13:31.',
    'Les autobus 10, 11, 205 et 4165 passent ici; le code postal H2X 3K8 est mal desservi.',
    'Le 24 passe près du parc, H2X 3K8, et le 80 aussi.',
    'Composez le 311 ou le 1 800 463-2100.',
    'Entre 7 h 30 et 9 h 45, 1 250 voitures; le 3 mars 2026, 130 692 544 litres.',
    'Lot 1 234 567 du cadastre, règlement 2021-0123-45, dossier 514-273-0123-A.',
  ],
} as const

describe('years, prices, references and lines of a bus are nobody’s data', () => {
  test.each(ORDINARY.GB)('%s', (text) => expect(find(text, 'GB')).toEqual([]))
  test.each(ORDINARY.CA)('%s', (text) => expect(find(text, 'CA')).toEqual([]))
})
