import { toTranslated, createItems, OTHER_OPTION, type SurveyTemplate } from './template-parts.ts'

export const event: SurveyTemplate = {
  id: 'event',
  title: toTranslated('How was it for you?', 'Comment était-ce pour vous?', 'Sut oedd e i chi?'),
  text: toTranslated(
    'Feedback after an event: what was good, what was not, and what to do better. Two minutes, on a phone.',
    'Un retour après un événement : ce qui était bien, ce qui l’était moins et ce qu’il faut améliorer. Deux minutes, sur un téléphone.',
    'Adborth ar ôl digwyddiad: beth oedd yn dda, beth nad oedd, a beth i’w wella. Dwy funud, ar ffôn.',
  ),
  intro: toTranslated(
    'Thank you for coming. Two minutes of your time help us do it better.',
    'Merci d’être venu. Deux minutes de votre temps nous aident à faire mieux.',
    'Diolch am ddod. Mae dwy funud o’ch amser yn ein helpu i wneud yn well.',
  ),
  minutes: 2,
  definition: {
    schema: 1,
    pages: [
      {
        id: 'event',
        questions: [
          {
            id: 'overall',
            type: 'rating',
            look: 'faces',
            required: true,
            title: toTranslated('How did you like the event?', 'Avez-vous aimé l’événement?', 'Sut oeddech chi’n hoffi’r digwyddiad?'),
            scale: {
              max: 5,
              low: toTranslated('Not at all', 'Pas du tout', 'Ddim o gwbl'),
              high: toTranslated('Very much', 'Beaucoup', 'Yn fawr iawn'),
            },
          },
          {
            id: 'wrong',
            type: 'several_choices',
            title: toTranslated('What went wrong?', 'Qu’est-ce qui n’allait pas?', 'Beth aeth o’i le?'),
            showIf: { question: 'overall', is: 'at_most', value: 2 },
            options: [
              ...createItems(
                ['time', 'The time', 'L’heure', 'Yr amser'],
                ['place', 'The place', 'Le lieu', 'Y lle'],
                ['access', 'Getting in or around', 'L’accès ou les déplacements sur place', 'Mynd i mewn neu o gwmpas'],
                ['content', 'What was on offer', 'Ce qui était proposé', 'Yr hyn a gynigiwyd'],
                ['heard', 'I was not heard', 'Je n’ai pas été entendu', 'Ni chefais fy nghlywed'],
              ),
              OTHER_OPTION,
            ],
          },
          {
            id: 'best',
            type: 'long_text',
            maxLength: 1000,
            title: toTranslated('What was best?', 'Qu’est-ce qui était le mieux?', 'Beth oedd orau?'),
            showIf: { question: 'overall', is: 'at_least', value: 3 },
          },
          {
            id: 'heard',
            type: 'dropdown',
            title: toTranslated('How did you hear of it?', 'Comment en avez-vous entendu parler?', 'Sut glywsoch chi amdano?'),
            options: [
              ...createItems(
                ['web', 'On our website', 'Sur notre site Web', 'Ar ein gwefan'],
                ['mail', 'By email or letter', 'Par courriel ou par la poste', 'Drwy e-bost neu lythyr'],
                ['social', 'On social media', 'Dans les médias sociaux', 'Ar y cyfryngau cymdeithasol'],
                ['friend', 'From someone I know', 'Par une connaissance', 'Gan rywun rwy’n ei adnabod'],
                ['poster', 'On a poster', 'Sur une affiche', 'Ar boster'],
              ),
              OTHER_OPTION,
            ],
          },
          {
            id: 'again',
            type: 'nps',
            title: toTranslated(
              'Would you tell a friend to come next time?',
              'Recommanderiez-vous à un ami de venir la prochaine fois?',
              'A fyddech chi’n dweud wrth ffrind am ddod y tro nesaf?',
            ),
          },
        ],
      },
    ],
  },
}
