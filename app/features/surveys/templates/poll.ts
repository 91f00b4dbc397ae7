import { createItems, type SurveyTemplate, toTranslated } from './template-parts.ts'

export const poll: SurveyTemplate = {
  id: 'poll',
  title: toTranslated('A quick poll', 'Un sondage éclair', 'Pôl cyflym'),
  text: toTranslated(
    'One question with one choice. People answer it on the project’s page or the homepage, without opening the survey.',
    'Une question à choix unique. On y répond sur la page du projet ou sur la page d’accueil, sans ouvrir le sondage.',
    'Un cwestiwn ag un dewis. Mae pobl yn ei ateb ar dudalen y prosiect neu’r dudalen gartref, heb agor yr arolwg.',
  ),
  intro: {},
  minutes: 1,
  definition: {
    schema: 1,
    pages: [
      {
        id: 'poll',
        questions: [
          {
            id: 'choice',
            type: 'one_choice',
            required: true,
            title: toTranslated('Which should we do first?', 'Que devrions-nous faire en premier?', 'Beth ddylem ni ei wneud gyntaf?'),
            options: createItems(
              ['benches', 'More benches', 'Plus de bancs', 'Rhagor o feinciau'],
              ['trees', 'More trees', 'Plus d’arbres', 'Rhagor o goed'],
              ['lights', 'Better lighting', 'Un meilleur éclairage', 'Gwell goleuadau'],
            ),
          },
        ],
      },
    ],
  },
}
