// The API's types, one for each schema of `openapi.json`, from which `npm run api-types` writes them: none is typed by hand.
export type * from '../../generated/api.d.ts'
