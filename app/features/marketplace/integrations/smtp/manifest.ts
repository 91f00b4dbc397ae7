import * as v from 'valibot'
import type { FieldWords, Manifest } from '../../marketplace.schema.ts'

const lineSchema = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))

export const smtp = {
  id: 'smtp',
  name: { en: 'Email by SMTP', 'fr-CA': 'Courriel par SMTP', cy: 'E-bost drwy SMTP' },
  category: 'mail',
  does: {
    en: 'Sends the site’s emails through your own email server, from your own address. If it cannot be reached, emails are sent as they were before.',
    'fr-CA':
      'Envoie les courriels du site par votre propre serveur, sous votre propre adresse. S’il est injoignable, les courriels partent comme avant.',
    cy: 'Mae’n anfon e-byst y safle drwy eich gweinydd eich hun, o’ch cyfeiriad eich hun. Lle na ellir ei gyrraedd, mae’r e-byst yn mynd allan fel o’r blaen.',
  },
  leaves: [
    {
      en: 'Each whole email, with its reader’s address, to the site’s own email server and from there to the reader’s.',
      'fr-CA':
        'Chaque courriel en entier, avec l’adresse de la personne qui le reçoit, vers le serveur de courriel du site et de là vers le sien.',
      cy: 'Pob neges gyfan, gyda chyfeiriad ei darllenydd, i weinydd e-bost y safle ac oddi yno i weinydd y darllenydd.',
    },
  ],
  settings: v.object({
    host: v.pipe(
      v.string(),
      v.trim(),
      v.toLowerCase(),
      v.maxLength(200),
      v.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'wrong-format'),
      v.metadata({
        label: { en: 'Server', 'fr-CA': 'Serveur', cy: 'Gweinydd' },
        hint: {
          en: 'Its name on the public internet, such as smtp.example.org. Changing it asks for the password again.',
          'fr-CA': 'Son nom sur l’internet public, p. ex. smtp.example.org. Le modifier redemande le mot de passe.',
          cy: 'Ei enw ar y rhyngrwyd cyhoeddus, megis smtp.example.org. Bydd ei newid yn gofyn am y cyfrinair eto.',
        },
        destination: true,
        reaches: 'host',
      } satisfies FieldWords),
    ),
    port: v.pipe(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), 587),
      v.metadata({
        label: { en: 'Port', 'fr-CA': 'Port', cy: 'Porth' },
        hint: {
          en: '587 with STARTTLS, 465 with TLS from the start.',
          'fr-CA': '587 avec STARTTLS, 465 avec TLS dès le début.',
          cy: '587 gyda STARTTLS, 465 gyda TLS o’r dechrau.',
        },
        destination: true,
      } satisfies FieldWords),
    ),
    security: v.pipe(
      v.optional(v.picklist(['starttls', 'tls', 'none']), 'starttls'),
      v.metadata({
        label: { en: 'Encryption', 'fr-CA': 'Chiffrement', cy: 'Amgryptio' },
        hint: {
          en: 'Without it no password is sent.',
          'fr-CA': 'Sans chiffrement, aucun mot de passe n’est envoyé.',
          cy: 'Hebddo ni chaiff cyfrinair ei anfon.',
        },
        choices: {
          starttls: { en: 'STARTTLS', 'fr-CA': 'STARTTLS', cy: 'STARTTLS' },
          tls: { en: 'TLS from the start', 'fr-CA': 'TLS dès le début', cy: 'TLS o’r dechrau' },
          none: { en: 'None', 'fr-CA': 'Aucun', cy: 'Dim' },
        },
        destination: true,
      } satisfies FieldWords),
    ),
    user: v.pipe(
      v.optional(lineSchema),
      v.metadata({ label: { en: 'User name', 'fr-CA': 'Nom d’utilisateur', cy: 'Enw defnyddiwr' } } satisfies FieldWords),
    ),
    password: v.pipe(
      v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(500))),
      v.metadata({ label: { en: 'Password', 'fr-CA': 'Mot de passe', cy: 'Cyfrinair' }, secret: true } satisfies FieldWords),
    ),
    from: v.pipe(
      v.string(),
      v.trim(),
      v.email(),
      v.maxLength(200),
      v.metadata({
        label: { en: 'Sender’s address', 'fr-CA': 'Adresse d’expédition', cy: 'Cyfeiriad yr anfonwr' },
        hint: {
          en: 'One your server may send from: its domain should have SPF and DKIM set up.',
          'fr-CA': 'Une adresse que votre serveur peut utiliser : son domaine devrait avoir SPF et DKIM.',
          cy: 'Un y caiff eich gweinydd anfon ohono: dylai fod gan ei barth SPF a DKIM.',
        },
      } satisfies FieldWords),
    ),
    fromName: v.pipe(
      v.optional(lineSchema),
      v.metadata({
        label: { en: 'Sender’s name', 'fr-CA': 'Nom d’expédition', cy: 'Enw’r anfonwr' },
        hint: { en: 'The site’s name unless given.', 'fr-CA': 'À défaut, le nom du site.', cy: 'Enw’r safle os na roddir un.' },
      } satisfies FieldWords),
    ),
    bouncesTo: v.pipe(
      v.optional(v.pipe(v.string(), v.trim(), v.email(), v.maxLength(100))),
      v.metadata({
        label: {
          en: 'Address that returned emails go to',
          'fr-CA': 'Adresse des courriels retournés',
          cy: 'Cyfeiriad negeseuon a ddychwelir',
        },
        hint: {
          en: 'Such as returned@example.org, at a server that also takes returned+anything@example.org. The sender’s address unless given.',
          'fr-CA':
            'P. ex. retours@exemple.org, sur un serveur qui accepte aussi retours+texte@exemple.org. À défaut, l’adresse d’expédition.',
          cy: 'Megis dychwelwyd@example.org, ar weinydd sydd hefyd yn derbyn dychwelwyd+rhywbeth@example.org. Cyfeiriad yr anfonwr os na roddir un.',
        },
      } satisfies FieldWords),
    ),
    reportToken: v.pipe(
      v.optional(v.pipe(v.string(), v.trim(), v.minLength(20), v.maxLength(200))),
      v.metadata({
        label: { en: 'Token for returned emails', 'fr-CA': 'Jeton des courriels retournés', cy: 'Tocyn negeseuon a ddychwelir' },
        hint: {
          en: 'Make one up, of at least 20 characters. With it your email server sends each returned email, unchanged, to the address below. Without it, we ignore what the server sends.',
          'fr-CA':
            'De votre cru, au moins 20 caractères. Avec lui, votre serveur remet chaque courriel retourné, tel quel, à l’adresse ci-dessous. Sans lui, rien de ce qu’il dit n’est cru.',
          cy: 'O’ch dewis eich hun, o leiaf 20 nod. Gydag ef, mae eich gweinydd yn postio pob neges a ddychwelir, fel y daeth, i’r cyfeiriad isod. Hebddo, ni chredir dim a ddywed.',
        },
        secret: true,
      } satisfies FieldWords),
    ),
  }),
  capabilities: ['send-mail'],
  feature: null,
  testing: {
    en: 'Testing sends an email to your own address.',
    'fr-CA': 'Le test envoie un courriel à votre propre adresse.',
    cy: 'Mae profi’n anfon e-bost i’ch cyfeiriad eich hun.',
  },
} as const satisfies Manifest
