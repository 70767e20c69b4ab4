export const CompanyKeysPage = () => null
export const OrganizationKeysPage = () => null
