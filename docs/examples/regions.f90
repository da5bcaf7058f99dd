! A region of a Fortran program: cm_count_start and cm_count_stop are two subroutines of C's.
!
!   gfortran regions.f90 -lcatmint -o regions
!   catmint count --regions --results results.json --metrics "DP Ops." -- ./regions
module catmint
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char
  implicit none
  interface
    subroutine cm_count_start(region) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: region(*)
    end subroutine
    subroutine cm_count_stop(region) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: region(*)
    end subroutine
  end interface
end module

program regions
  use catmint
  implicit none
  double precision :: a(1000), b(1000), total
  integer :: i
  a = 0.5d0
  b = 2.0d0
  total = 0.0d0
  call cm_count_start("dot" // c_null_char)
  do i = 1, 1000
    total = total + a(i) * b(i)
  end do
  call cm_count_stop("dot" // c_null_char)
  print *, total
end program
