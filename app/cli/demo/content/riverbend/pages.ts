import { enFr } from '../texts.ts'
import type { DemoPage } from '../types.ts'

export const pages: DemoPage[] = [
  {
    slug: 'about',
    kind: 'page',
    title: enFr('How your say counts', 'Comment votre avis compte'),
    body: enFr(
      `This is where the City of Riverbend asks before it decides. Every consultation the city runs has its page here, from the first question to what came of it.

## Three promises
- We ask early, while there is still something to decide, and we say what is not open.
- We read everything, and publish what people told us within six weeks of closing.
- We say what changes because of it, what does not, and why.

## Who may take part
Anyone who lives, works, studies or owns something in Riverbend, at any age. You do not need an account for most surveys. With one you can follow projects and find your receipts again.

## In other ways
Every survey is also on paper at the six libraries, and by telephone at 311 in English and French, with interpreters for 170 other languages.

## Who we are
Four people at city hall look after this site and answer within two working days: [hello@riverbend.example](mailto:hello@riverbend.example).`,
      `C’est ici que la Ville de Riverbend demande avant de décider. Chaque consultation de la Ville y a sa page, de la première question jusqu’à ce qui en est sorti.

## Trois engagements
- Nous consultons tôt, pendant qu’il reste quelque chose à décider, et nous disons ce qui n’est pas ouvert.
- Nous lisons tout et publions ce que les gens nous ont dit dans les six semaines suivant la clôture.
- Nous disons ce que cela change, ce que cela ne change pas, et pourquoi.

## Qui peut participer
Toute personne qui habite, travaille, étudie ou possède quelque chose à Riverbend, quel que soit son âge. La plupart des sondages ne demandent pas de compte. Un compte permet de suivre des projets et de retrouver ses reçus.

## Autrement
Chaque sondage existe aussi sur papier dans les six bibliothèques et par téléphone au 311, en français et en anglais, avec interprétation dans 170 autres langues.

## Qui nous sommes
À l’hôtel de ville, quatre personnes s’occupent de ce site et répondent en deux jours ouvrables : [hello@riverbend.example](mailto:hello@riverbend.example).`,
    ),
  },
  {
    slug: 'privacy',
    kind: 'legal',
    title: enFr('Privacy', 'Protection de la vie privée'),
    body: enFr(
      `The City of Riverbend collects personal information on this site under the Municipal Act and protects it under Ontario’s Municipal Freedom of Information and Protection of Privacy Act.

## What we keep
- Your answers to surveys. Where a survey says it is anonymous, no account, name or network address is kept with them.
- If you make an account: your e-mail address, the name you choose, your language, and the projects you follow.
- For security: the time and network address of sign-ins, for ninety days.

## What we do with it
We use answers to plan services and publish them as totals. We publish people’s words only without their names, and leave out anything that would tell who wrote them. Groups of fewer than five people are never shown.

We do not sell personal information, and nobody outside the city reads it except the companies that run the servers for us, which are in Canada and bound by contract.

## How long
Answers are kept for two years after a project is closed, then made anonymous. An account that nobody has used for three years is removed after a warning by e-mail.

## Your rights
You can download or delete everything we hold about you on your account page, and change or withdraw an answer with its receipt until the survey closes. You may also ask the city’s privacy officer at [privacy@riverbend.example](mailto:privacy@riverbend.example), and complain to the Information and Privacy Commissioner of Ontario.`,
      `La Ville de Riverbend recueille des renseignements personnels sur ce site en vertu de la Loi sur les municipalités et les protège conformément à la Loi sur l’accès à l’information municipale et la protection de la vie privée de l’Ontario.

## Ce que nous conservons
- Vos réponses aux sondages. Lorsqu’un sondage est dit anonyme, aucun compte, nom ni adresse réseau n’y est associé.
- Si vous créez un compte : votre adresse courriel, le nom que vous choisissez, votre langue et les projets que vous suivez.
- Par sécurité : l’heure et l’adresse réseau des connexions, pendant quatre-vingt-dix jours.

## Ce que nous en faisons
Les réponses servent à planifier les services et sont publiées sous forme de totaux. Nous ne publions les propos des gens que sans leur nom, et sans ce qui permettrait de les reconnaître. Les groupes de moins de cinq personnes ne sont jamais affichés.

Nous ne vendons aucun renseignement personnel. Personne à l’extérieur de la Ville ne les lit, sauf les entreprises qui exploitent nos serveurs, situés au Canada, et qui sont liées par contrat.

## Pendant combien de temps
Les réponses sont conservées deux ans après la fin d’un projet, puis rendues anonymes. Un compte inutilisé depuis trois ans est supprimé après un avertissement par courriel.

## Vos droits
Vous pouvez télécharger ou supprimer tout ce que nous détenons à votre sujet à la page de votre compte, et modifier ou retirer une réponse avec son reçu jusqu’à la clôture du sondage. Vous pouvez aussi écrire à la personne responsable de la vie privée, à [privacy@riverbend.example](mailto:privacy@riverbend.example), et porter plainte au Commissaire à l’information et à la protection de la vie privée de l’Ontario.`,
    ),
  },
  {
    slug: 'terms',
    kind: 'legal',
    title: enFr('Terms of use', 'Conditions d’utilisation'),
    body: enFr(
      `By using this site you agree to a few plain rules.

## What you write
What you write stays yours. You allow the city to read, count, translate and publish it without your name, for the purpose of the consultation and the reports that follow.

## What we do not publish
- Insults, threats and hatred against anyone.
- Personal information about somebody else.
- Advertising.

When we hold something back we tell the author which rule it broke, and the author can ask a second person to look again.

## Fair counting
One person, one answer where a survey says so. Answers sent by machine are left out, and we say in the results how many there were.

## Documents and pictures
Texts and documents of the city may be reused under the Open Government Licence – Riverbend. Drawings on this site may be reused with the name of the city.

## Responsibility
We take care that everything here is right. If an error on this site differs from a by-law or a decision of Council, the by-law or the decision applies.`,
      `En utilisant ce site, vous acceptez quelques règles simples.

## Ce que vous écrivez
Vos propos restent les vôtres. Vous autorisez la Ville à les lire, à les compter, à les traduire et à les publier sans votre nom, aux fins de la consultation et des rapports qui en découlent.

## Ce que nous ne publions pas
- Les insultes, les menaces et les propos haineux.
- Les renseignements personnels sur quelqu’un d’autre.
- La publicité.

Lorsque nous retenons un texte, nous disons à son auteur quelle règle il enfreint, et celui-ci peut demander qu’une autre personne le relise.

## Un décompte juste
Une personne, une réponse, lorsque le sondage le précise. Les réponses envoyées par des machines sont écartées, et nous en indiquons le nombre dans les résultats.

## Documents et images
Les textes et documents de la Ville peuvent être réutilisés selon la Licence du gouvernement ouvert – Riverbend. Les dessins du site peuvent l’être en mentionnant la Ville.

## Responsabilité
Nous veillons à l’exactitude de ce site. En cas d’écart avec un règlement ou une décision du conseil municipal, c’est le règlement ou la décision qui s’applique.`,
    ),
  },
  {
    slug: 'accessibility',
    kind: 'legal',
    title: enFr('Accessibility', 'Accessibilité'),
    body: enFr(
      `Everyone must be able to have their say. This site is built to meet level AA of the Web Content Accessibility Guidelines (WCAG) 2.2, which goes further than the Accessibility for Ontarians with Disabilities Act asks.

## What that means
- Everything works with a keyboard, with a screen reader and at 400 % zoom.
- Surveys can be answered without JavaScript, and a half-finished answer is never thrown away.
- Charts have a table behind them, and places have an address beside the map.
- Nothing flashes, and movement stops if your device asks for less of it.

## What does not work yet
- Documents from before {year:-3} are scanned pictures. Ask, and we will send you the text within three working days.
- Some videos have captions in English only. French captions follow within two weeks.

## Tell us
If something stops you, write to [access@riverbend.example](mailto:access@riverbend.example) or call 311. Someone answers within two working days. You can also answer any survey by telephone, on paper or with help at a library.`,
      `Tout le monde doit pouvoir donner son avis. Ce site est conçu pour respecter le niveau AA des Règles pour l’accessibilité des contenus Web (WCAG) 2.2, ce qui va plus loin que ne l’exige la Loi sur l’accessibilité pour les personnes handicapées de l’Ontario.

## Ce que cela signifie
- Tout fonctionne au clavier, avec un lecteur d’écran et avec un grossissement de 400 %.
- On peut répondre aux sondages sans JavaScript, et une réponse à moitié remplie n’est jamais perdue.
- Chaque graphique s’accompagne d’un tableau, et chaque lieu sur une carte, d’une adresse.
- Rien ne clignote, et les animations s’arrêtent si votre appareil le demande.

## Ce qui ne fonctionne pas encore
- Les documents antérieurs à {year:-3} sont des images numérisées. Demandez-les : nous vous enverrons le texte en trois jours ouvrables.
- Certaines vidéos n’ont des sous-titres qu’en anglais. Les sous-titres français suivent en deux semaines.

## Dites-le-nous
Si quelque chose vous bloque, écrivez à [access@riverbend.example](mailto:access@riverbend.example) ou composez le 311. Quelqu’un répond en deux jours ouvrables. Vous pouvez aussi répondre à tout sondage par téléphone, sur papier ou avec de l’aide dans une bibliothèque.`,
    ),
  },
  {
    slug: 'cookies',
    kind: 'legal',
    title: enFr('Cookies', 'Témoins'),
    body: enFr(
      `A cookie is a small note that a site leaves in your browser. We leave as few as we can.

[Cookies and other services](/cookies) lists every one of them, what it is for and how long it stays. The list is made by the site itself, so that it is always complete.

Answers you have begun are kept in your own browser, and on our server once you go on to the next step or choose to finish later.

No advertising network receives anything.`,
      `Un témoin est une petite note qu’un site laisse dans votre navigateur. Nous en laissons le moins possible.

[Témoins et autres services](/cookies) les énumère tous : à quoi chacun sert et combien de temps il reste. Le site dresse lui-même cette liste, qui est donc toujours complète.

Les réponses commencées sont conservées dans votre propre navigateur, et sur notre serveur quand vous passez à l’étape suivante ou choisissez de terminer plus tard.

Aucun réseau publicitaire ne reçoit quoi que ce soit.`,
    ),
  },
]
