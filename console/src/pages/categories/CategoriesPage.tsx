export const CategoriesPage = () => null
