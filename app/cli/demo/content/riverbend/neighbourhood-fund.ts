import { enFr } from '../texts.ts'
import type { DemoVerifiedIdeas } from '../types.ts'

/** Only people with a card of the city's library say what the fund is spent on. */
export const neighbourhoodFund: DemoVerifiedIdeas = {
  project: 'budget',
  activity: {
    slug: 'neighbourhood-fund',
    title: enFr('Spend the neighbourhood fund', 'Dépensez le fonds de quartier'),
    intro: enFr(
      'The city sets 400,000 dollars aside for small things near home. Everyone can read; people with a Riverbend library card propose and support. We check the number on your card and do not keep it.',
      'La Ville réserve 400 000 dollars à de petites choses près de chez vous. Tout le monde peut lire; les gens qui ont une carte de la bibliothèque de Riverbend proposent et appuient. Nous vérifions le numéro de votre carte sans le garder.',
    ),
  },
  list: { name: enFr('Riverbend library card', 'Carte de la bibliothèque de Riverbend'), cards: 240 },
  ideas: [
    {
      title: 'Benches at the bus stops on Elm Hill',
      body: 'The hill is steep and there is nowhere to sit until the next bus comes.',
      language: 'en',
      supports: 31,
    },
    {
      title: 'Un composteur de quartier',
      body: 'Derrière le centre communautaire, avec une heure par semaine où quelqu’un explique comment faire.',
      language: 'fr-CA',
      supports: 22,
    },
    {
      title: 'Tools to borrow, like books',
      body: 'A drill is used ten minutes in its life. Let the branches lend them out.',
      language: 'en',
      supports: 44,
    },
    {
      title: 'Light on the path behind the arena',
      body: 'From October on, children walk home from practice in the dark.',
      language: 'en',
      supports: 38,
    },
  ],
}
