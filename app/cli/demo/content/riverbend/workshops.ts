import { longText, oneChoice, option, page, severalChoices } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoSurvey } from '../types.ts'

const comesTo = (session: string) => ({ question: 'q_session', is: 'any_of' as const, options: [`o_${session}`] })
const PLACES = 40

/** A survey with logic: people who cannot come skip the rest, only parents are asked about children, and each walk has limited places. */
export const workshops: DemoSurvey = {
  slug: 'walk-with-us',
  title: enFr('Walk the shore with us', 'Marchez la rive avec nous'),
  intro: enFr(
    'Three guided walks with the people who will draw the plans. Each has room for forty.',
    'Trois marches guidées avec celles et ceux qui dessineront les plans. Chacune accueille quarante personnes.',
  ),
  thanks: enFr(
    'Thank you. We meet at the old mill, whatever the weather.',
    'Merci. Rendez-vous au vieux moulin, beau temps mauvais temps.',
  ),
  status: 'published',
  access: 'anyone',
  anonymous: true,
  minutes: 2,
  pages: [
    {
      ...page(
        'w1',
        enFr('Coming along', 'Venir marcher'),
        oneChoice(
          'q_come',
          enFr('Would you like to walk with us?', 'Aimeriez-vous marcher avec nous?'),
          [
            option('yes', enFr('Yes', 'Oui')),
            option('cannot', enFr('I would, but I cannot', 'J’aimerais bien, mais je ne peux pas')),
            option('no', enFr('No', 'Non')),
          ],
          { required: true },
        ),
      ),
      next: [
        { when: { question: 'q_come', is: 'any_of', options: ['o_cannot'] }, page: 'w3' },
        { when: { question: 'q_come', is: 'any_of', options: ['o_no'] }, end: 'e_no' },
      ],
    },
    {
      ...page(
        'w2',
        enFr('Your walk', 'Votre marche'),
        oneChoice(
          'q_session',
          enFr('Which walk suits you?', 'Quelle marche vous convient?'),
          [
            option('early', enFr('Saturday at 9 a.m.', 'Samedi à 9 h')),
            option('noon', enFr('Saturday at noon', 'Samedi à midi')),
            option('late', enFr('Sunday at 3 p.m.', 'Dimanche à 15 h')),
          ],
          { required: true },
        ),
        severalChoices('q_with', enFr('Who comes with you?', 'Qui vous accompagne?'), [
          option('children', enFr('Children', 'Des enfants')),
          option('wheels', enFr('Somebody on wheels', 'Quelqu’un en fauteuil ou avec une poussette')),
          option('dog', enFr('A dog', 'Un chien')),
        ]),
        oneChoice(
          'q_age',
          enFr('How old is the youngest child?', 'Quel âge a le plus jeune enfant?'),
          [
            option('small', enFr('Under six', 'Moins de six ans')),
            option('school', enFr('Six to twelve', 'De six à douze ans')),
            option('teen', enFr('Older', 'Plus de douze ans')),
          ],
          { showIf: { question: 'q_with', is: 'any_of', options: ['o_children'] } },
        ),
      ),
      next: [{ end: '' }],
    },
    page(
      'w3',
      enFr('Even so', 'Malgré tout'),
      longText('q_look', enFr('What should we stop and look at for you?', 'Devant quoi devrions-nous nous arrêter pour vous?')),
    ),
  ],
  endings: [
    {
      id: 'e_no',
      title: enFr('Another time, perhaps', 'Une autre fois, peut-être'),
      text: enFr(
        'Thank you for telling us. The survey on what comes first stays open.',
        'Merci de nous l’avoir dit. Le sondage sur les priorités reste ouvert.',
      ),
    },
    {
      id: 'e_full',
      title: enFr('This walk is full', 'Cette marche est complète'),
      text: enFr(
        'Go back and choose another: there may be room.',
        'Revenez en arrière et choisissez-en une autre\u00a0: il reste peut-être de la place.',
      ),
    },
  ],
  quotas: ['early', 'noon', 'late'].map((session) => ({ id: `k_${session}`, when: comesTo(session), limit: PLACES, end: 'e_full' })),
  crowd: {
    people: 150,
    usual: {
      q_come: { o_yes: 70, o_cannot: 20, o_no: 10 },
      q_session: { o_early: 2, o_noon: 6, o_late: 2 },
      q_with: { o_children: 0.35, o_wheels: 0.1, o_dog: 0.2 },
      q_age: { o_small: 4, o_school: 4, o_teen: 2 },
      q_look: 0.6,
    },
    kinds: [
      { name: 'families', share: 0.4, leans: { q_with: { o_children: 2 } } },
      { name: 'others', share: 0.6 },
    ],
    words: {
      q_look: {
        all: {
          en: [
            'The steps below the mill: nobody with a stroller gets down.',
            'The dark stretch under the bridge.',
            'The old willow. Please keep it.',
          ],
          'fr-CA': [
            'Les marches sous le moulin\u00a0: avec une poussette, on ne passe pas.',
            'Le bout sombre sous le pont.',
            'Le vieux saule. Gardez-le.',
          ],
        },
      },
    },
  },
}
