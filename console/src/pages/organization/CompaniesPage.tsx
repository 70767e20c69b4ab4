export const CompaniesPage = () => null
