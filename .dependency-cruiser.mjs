/** Import rules (see app/decisions/0005-layout.md). Some rules ignore type-only imports and say so. */
const SERVER_SIDE = '(\\.server\\.tsx?|\\.functions\\.ts|\\.test\\.tsx?)$'

export default {
  forbidden: [
    {
      name: 'ui-and-lib-stand-alone',
      severity: 'error',
      from: { path: '^app/(ui|lib)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^app/(features|routes|server|serve|shell|cli)/' },
    },
    {
      name: 'features-meet-through-their-fronts',
      comment: 'A feature may import another only through its .schema, .queries or .server files (and server functions).',
      severity: 'error',
      from: { path: '^app/features/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^app/features/',
        pathNot: [
          '^app/features/$1/',
          '\\.(schema|queries|server|policy\\.server)\\.tsx?$',
          '^app/features/surveys/poll/QuickPoll\\.tsx$',
          // Templates of projects bring surveys.
          '^app/features/surveys/templates/[^/]+\\.ts$',
          // Questions about people are the questionnaire's.
          '^app/features/surveys/questionnaire/(answers|field-names|question-types/fields)\\.ts$',
          // Forms of every feature above this floor keep what is written in them.
          '^app/features/participation/keeping/(KeptForm|LanguageButtons|keep-form|kept-on-device|use-send-when-online)\\.tsx?$',
          // Options of a budget lie on the map of contributions.
          '^app/features/contributions/places/Map(Links|Picture)\\.tsx$',
          // Surveys and reports compare people with census tables.
          '^app/features/reference-populations/(survey-options|rake-weights|compare-with-population)\\.ts$',
          // What changed because of it stands beside the figures of surveys and activities.
          '^app/features/outcomes/OutcomeList\\.tsx$',
          // A ledger is checked by the page that shows it, in panels of its own.
          '^app/features/ledger/(entries|check-ledger|check-here|proof|LedgerPanel|LedgerDownload|ProofPanel)\\.tsx?$',
          // Every receipt has the same code and email form, and is in one list.
          '^app/features/participation/(Receipt(Code|Mail)\\.tsx|lazy-last-receipts\\.ts)$',
        ],
      },
    },
    {
      name: 'surveys-are-entered-by-their-fronts',
      comment: 'Surveys have streets: other features use the files at their top, and of the streets only what is named here.',
      severity: 'error',
      from: { path: '^app/features/', pathNot: ['^app/features/surveys/', '\\.test\\.tsx?$'] },
      to: {
        path: '^app/features/surveys/',
        pathNot: [
          '^app/features/surveys/surveys\\.[^/]+$',
          // A poll is a form that stands on a page of another feature.
          '^app/features/surveys/poll/(poll\\.schema\\.ts|QuickPoll\\.tsx)$',
          // Questions about people are the questionnaire's.
          '^app/features/surveys/questionnaire/(answers|field-names|question-types/fields)\\.ts$',
          // Templates of projects bring surveys.
          '^app/features/surveys/templates/[^/]+\\.ts$',
          '^app/features/surveys/(questionnaire/versions|responses/(submit-response|drafts|erase-account-responses|files/keep-file|count-crowd)|results/(results|completion|compare-groups)|poll/poll|export/exports|sms/[^/]+)\\.server\\.ts$',
          // Reports are made in the background as exports are, and compare groups as surveys do.
          '^app/features/surveys/(export/export|results/group-comparison)\\.schema\\.ts$',
        ],
      },
    },
    {
      name: 'contributions-are-entered-by-their-fronts',
      comment: 'The same for contributions: other features use the files at their top, and of the floors only what is named here.',
      severity: 'error',
      from: { path: '^app/features/', pathNot: ['^app/features/contributions/', '\\.test\\.tsx?$'] },
      to: {
        path: '^app/features/contributions/',
        pathNot: [
          '^app/features/contributions/contributions\\.[^/]+$',
          '^app/features/contributions/(record/(activity-reviews|contribution-counts|verified-activity)|following/follow-contribution|moderation/(masking/masked-originals|personal-data/find-personal-data|moderation-figures|moderation-settings)|own/(account|project)-contributions|results/(open-contributions|contribution-figures|place-squares)|translating/own-translations)\\.server\\.ts$',
          // Options of a budget lie on the map of contributions.
          '^app/features/contributions/(places/(Map(Links|Picture)\\.tsx|place-map\\.server\\.ts)|record/places\\.schema\\.ts)$',
          '^app/features/contributions/(moderation/undoable|results/activity-results)\\.schema\\.ts$',
        ],
      },
    },
    {
      name: 'server-code-only-from-server-files',
      severity: 'error',
      from: { path: '^app/(features|routes)/', pathNot: [SERVER_SIDE, '^app/routes/api/'] },
      to: { path: '^app/server/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-knows-no-feature',
      severity: 'error',
      from: { path: '^app/server/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^app/(features|routes|shell|serve|cli|root)/' },
    },
    {
      name: 'only-the-entry-imports-the-root',
      comment: 'The root knows every feature: resources and jobs. `app/server.ts` passes it on.',
      severity: 'error',
      from: { path: '^app/', pathNot: ['^app/root/', '^app/server\\.ts$', '\\.test\\.tsx?$'] },
      to: { path: '^app/root/' },
    },
    {
      name: 'nobody-imports-routes',
      comment: 'Modules shared by the routes of a folder start with a dash.',
      severity: 'error',
      from: { path: '^app/', pathNot: '^app/routeTree\\.gen\\.ts$' },
      to: { path: '^app/routes/', pathNot: '/-[^/]+$' },
    },
    {
      name: 'participants-never-load-admin',
      severity: 'error',
      from: { path: '^app/routes/', pathNot: '^app/routes/(admin|live-preview|api)(/|\\.)' },
      to: { path: '/admin/', reachable: true },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^app/', pathNot: '^app/(router\\.tsx|routeTree\\.gen\\.ts|routes/)' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { path: '^app/', pathNot: '\\.test\\.tsx?$' }, to: { path: '^tests/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|public)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'], conditionNames: ['import', 'default'] },
  },
}
