import { oneChoice, option, otherOption, page, rating, shortText, yesNo } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoSurvey } from '../types.ts'

/** A short survey that people answer by text message on their way home. */
export const afterTheWalk: DemoSurvey = {
  slug: 'after-the-walk',
  title: enFr('After the walk', 'Après la marche'),
  intro: enFr(
    'Four questions for everyone who walked the shore. By text: send WALK to the City’s number.',
    'Quatre questions pour qui a marché sur la rive. Par texto : envoyez RIVE au numéro de la Ville.',
  ),
  thanks: enFr('Thank you for walking with us.', 'Merci d’avoir marché avec nous.'),
  status: 'published',
  access: 'anyone_once',
  minutes: 1,
  byText: { words: { en: 'WALK', 'fr-CA': 'RIVE' }, share: 0.8 },
  pages: [
    page(
      'p1',
      enFr('The walk', 'La marche'),
      oneChoice(
        'q_best',
        enFr('Where would you go back first?', 'Où retourneriez-vous en premier?'),
        [
          option('mill', enFr('The old mill', 'Le vieux moulin')),
          option('pier', enFr('Canal Street pier', 'Le quai de la rue Canal')),
          option('bridge', enFr('The railway bridge', 'Le pont ferroviaire')),
          otherOption(enFr('Another place', 'Un autre endroit')),
        ],
        { required: true },
      ),
      rating(
        'q_safe',
        enFr('How safe did the shore feel?', 'La rive vous a-t-elle paru sûre?'),
        enFr('Not at all', 'Pas du tout'),
        enFr('Very', 'Très'),
        { required: true },
      ),
      yesNo('q_again', enFr('Would you come to a walk again?', 'Viendriez-vous à une autre marche?'), { required: true }),
      shortText('q_why', enFr('What would make you come?', 'Qu’est-ce qui vous ferait venir?'), {
        showIf: { question: 'q_again', is: 'any_of', options: ['no'] },
      }),
    ),
  ],
  crowd: {
    people: 64,
    usual: { q_best: { o_mill: 5, o_pier: 3, o_bridge: 2, o_other: 1 }, q_safe: 3.4, q_again: { yes: 4, no: 1 }, q_why: 0.8 },
    kinds: [
      { name: 'walker', share: 7 },
      { name: 'evening', share: 3, leans: { q_safe: -1, q_again: { yes: 0.5 } } },
    ],
    words: {
      'q_best.other': {
        all: { en: ['The heron colony', 'The coal yard'], 'fr-CA': ['La héronnière', 'La cour à charbon'] },
      },
      q_why: {
        all: {
          en: ['A walk on a Sunday.', 'Benches on the way.', 'A shorter one for the children.'],
          'fr-CA': ['Une marche le dimanche.', 'Des bancs en chemin.', 'Une plus courte pour les enfants.'],
        },
        evening: { en: ['Light along the path.'], 'fr-CA': ['De la lumière sur le sentier.'] },
      },
    },
  },
}
