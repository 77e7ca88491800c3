"""What every picture is made with: themes, colours, lettering, shapes, small pictures, and the finished image."""
