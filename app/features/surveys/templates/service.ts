import { createItems, OTHER_OPTION, toTranslated, type SurveyTemplate } from './template-parts.ts'

export const service: SurveyTemplate = {
  id: 'service',
  title: toTranslated('How the service works for you', 'Comment le service vous convient', 'Sut mae’r gwasanaeth yn gweithio i chi'),
  text: toTranslated(
    'Who uses a service and who does not, how well it works, and what would make it better. Those who do not use it say why.',
    'Qui utilise un service et qui ne l’utilise pas, comment il fonctionne et ce qui l’améliorerait. Qui ne l’utilise pas dit pourquoi.',
    'Pwy sy’n defnyddio gwasanaeth a phwy sydd ddim, pa mor dda y mae’n gweithio, a beth fyddai’n ei wella. Mae’r rhai nad ydynt yn ei ddefnyddio yn dweud pam.',
  ),
  intro: toTranslated(
    'We are looking at how this service should work in future. Tell us what it is like to use today, or what keeps you from using it.',
    'Nous réfléchissons à l’avenir de ce service. Dites-nous comment il fonctionne pour vous aujourd’hui, ou ce qui vous empêche de l’utiliser.',
    'Rydym yn ystyried sut y dylai’r gwasanaeth hwn weithio yn y dyfodol. Dywedwch sut brofiad yw ei ddefnyddio heddiw, neu beth sy’n eich atal rhag ei ddefnyddio.',
  ),
  minutes: 4,
  definition: {
    schema: 1,
    pages: [
      {
        id: 'use',
        questions: [
          {
            id: 'used',
            type: 'yes_no',
            required: true,
            title: toTranslated(
              'Have you used the service in the last year?',
              'Avez-vous utilisé le service depuis un an?',
              'Ydych chi wedi defnyddio’r gwasanaeth yn ystod y flwyddyn ddiwethaf?',
            ),
          },
        ],
      },
      {
        id: 'users',
        title: toTranslated('Using it', 'L’utilisation', 'Ei ddefnyddio'),
        showIf: { question: 'used', is: 'any_of', options: ['yes'] },
        questions: [
          {
            id: 'how',
            type: 'several_choices',
            title: toTranslated('How did you use it?', 'Comment l’avez-vous utilisé?', 'Sut wnaethoch chi ei ddefnyddio?'),
            options: createItems(
              ['person', 'In person', 'En personne', 'Wyneb yn wyneb'],
              ['phone', 'By phone', 'Par téléphone', 'Dros y ffôn'],
              ['web', 'Online', 'En ligne', 'Ar-lein'],
              ['home', 'Someone came to me', 'Quelqu’un est venu chez moi', 'Daeth rhywun ataf'],
            ),
          },
          {
            id: 'well',
            type: 'rating',
            title: toTranslated('How well did it work for you?', 'Vous a-t-il bien servi?', 'Pa mor dda y gweithiodd i chi?'),
            scale: {
              max: 5,
              low: toTranslated('Not at all', 'Pas du tout', 'Ddim o gwbl'),
              high: toTranslated('Very well', 'Très bien', 'Yn dda iawn'),
            },
          },
          {
            id: 'wrong',
            type: 'several_choices',
            title: toTranslated('What did not work?', 'Qu’est-ce qui n’a pas fonctionné?', 'Beth na weithiodd?'),
            showIf: { question: 'well', is: 'at_most', value: 3 },
            options: [
              ...createItems(
                ['hours', 'The opening hours', 'Les heures d’ouverture', 'Yr oriau agor'],
                ['wait', 'I waited too long', 'L’attente était trop longue', 'Bu rhaid aros yn rhy hir'],
                ['reach', 'It was hard to reach', 'C’était difficile d’accès', 'Roedd yn anodd ei gyrraedd'],
                ['language', 'The language or the words', 'La langue ou les mots employés', 'Yr iaith neu’r geiriau'],
                [
                  'answer',
                  'I did not get what I needed',
                  'Je n’ai pas obtenu ce qu’il me fallait',
                  'Ni chefais yr hyn yr oedd ei angen arnaf',
                ],
              ),
              OTHER_OPTION,
            ],
          },
        ],
      },
      {
        id: 'others',
        title: toTranslated('What keeps you from it', 'Ce qui vous en empêche', 'Beth sy’n eich atal'),
        showIf: { question: 'used', is: 'any_of', options: ['no'] },
        questions: [
          {
            id: 'why-not',
            type: 'several_choices',
            title: toTranslated(
              'Why have you not used it?',
              'Pourquoi ne l’avez-vous pas utilisé?',
              'Pam nad ydych chi wedi’i ddefnyddio?',
            ),
            options: [
              ...createItems(
                ['need', 'I did not need it', 'Je n’en ai pas eu besoin', 'Nid oedd ei angen arnaf'],
                ['unknown', 'I did not know of it', 'Je ne le connaissais pas', 'Nid oeddwn yn gwybod amdano'],
                ['times', 'Its hours do not suit me', 'Ses heures ne me conviennent pas', 'Nid yw’r oriau’n addas i mi'],
                ['far', 'It is too far away', 'C’est trop loin', 'Mae’n rhy bell'],
                ['cost', 'It costs too much', 'C’est trop cher', 'Mae’n costio gormod'],
              ),
              OTHER_OPTION,
            ],
          },
        ],
      },
      {
        id: 'future',
        title: toTranslated('The service in future', 'Le service à l’avenir', 'Y gwasanaeth yn y dyfodol'),
        questions: [
          {
            id: 'first',
            type: 'ranking',
            maxRanked: 3,
            title: toTranslated('What matters most to you?', 'Qu’est-ce qui compte le plus pour vous?', 'Beth sydd bwysicaf i chi?'),
            help: toTranslated('Put up to three in order.', 'Classez-en jusqu’à trois.', 'Rhowch hyd at dri mewn trefn.'),
            options: createItems(
              ['hours', 'Longer hours', 'Des heures prolongées', 'Oriau hirach'],
              ['near', 'A place near me', 'Un lieu près de chez moi', 'Lle yn agos ataf'],
              ['web', 'More that I can do online', 'Plus de démarches en ligne', 'Mwy y gallaf ei wneud ar-lein'],
              ['person', 'A person to talk to', 'Une personne à qui parler', 'Person i siarad ag ef'],
              ['cost', 'A lower price', 'Un prix plus bas', 'Pris is'],
            ),
          },
          {
            id: 'idea',
            type: 'long_text',
            maxLength: 1500,
            title: toTranslated(
              'One thing that would make it better for you',
              'Une chose qui l’améliorerait pour vous',
              'Un peth a fyddai’n ei wella i chi',
            ),
          },
        ],
      },
    ],
  },
}
