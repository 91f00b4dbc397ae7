import type { Question } from '#app/features/surveys/surveys.schema.ts'
import { oneChoice } from '../questions.ts'
import { enFr } from '../texts.ts'
import type { DemoProfileQuestion } from '../types.ts'

const home = {
  key: 'home',
  type: 'one-choice',
  label: enFr('Which language do you speak most at home?', 'Quelle langue parlez-vous le plus à la maison?'),
  purpose: enFr('to decide which texts to translate first.', 'pour décider quels textes traduire d’abord.'),
  options: [
    { id: 'english', label: enFr('English', 'Anglais'), share: 0.68 },
    { id: 'french', label: enFr('French', 'Français'), share: 0.17 },
    { id: 'another', label: enFr('Another language', 'Une autre langue'), share: 0.15 },
  ],
  retentionMonths: 24,
  answered: 0.7,
} satisfies DemoProfileQuestion

/** The same question in a survey, filled in for people who have answered it before. */
export const languageAtHome: Question = {
  ...oneChoice(
    home.key,
    home.label,
    home.options.map(({ id, label }) => ({ id, label })),
  ),
  profile: home.key,
}

/** What Riverbend asks people about themselves, and how its people have answered. */
export const aboutPeople: readonly DemoProfileQuestion[] = [
  {
    key: 'born',
    type: 'year-of-birth',
    label: enFr('Year of birth', 'Année de naissance'),
    purpose: enFr('to see whether young and old take part alike.', 'pour voir si jeunes et aînés participent autant.'),
    retentionMonths: 24,
    answered: 0.72,
    years: { youngest: 17, oldest: 88 },
  },
  {
    key: 'lives',
    type: 'area',
    label: enFr('Where do you live?', 'Où habitez-vous?'),
    purpose: enFr(
      'to tell you what is planned near you, and to compare areas.',
      'pour vous dire ce qui est prévu près de chez vous, et pour comparer les secteurs.',
    ),
    retentionMonths: 24,
    answered: 0.66,
  },
  home,
  {
    key: 'disability',
    type: 'one-choice',
    sensitive: true,
    label: enFr('Do you have a disability?', 'Avez-vous un handicap?'),
    purpose: enFr(
      'to check that our streets and pages work for everyone.',
      'pour vérifier que nos rues et nos pages conviennent à tout le monde.',
    ),
    options: [
      { id: 'yes', label: enFr('Yes', 'Oui'), share: 0.2 },
      { id: 'no', label: enFr('No', 'Non'), share: 0.7 },
      { id: 'no-answer', label: enFr('Prefer not to say', 'Je préfère ne pas répondre'), share: 0.1 },
    ],
    retentionMonths: 12,
    answered: 0.5,
  },
]
