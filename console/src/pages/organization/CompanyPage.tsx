export const OrganizationCompanyPage = () => null
